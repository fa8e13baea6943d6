package hub

import (
	"net/http"
	"strconv"
	"time"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the metrics for Prometheus. No label names a person or a repository.
type metrics struct {
	registry     *prometheus.Registry
	requests     *prometheus.CounterVec
	seconds      *prometheus.HistogramVec
	results      *prometheus.HistogramVec
	publications prometheus.Counter
	changes      *prometheus.CounterVec
}

func newMetrics(store *Store) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	register := promauto.With(registry)
	for _, gauge := range []struct {
		name, help string
		value      func(*pgxpool.Stat) int32
	}{
		{"memctl_hub_connections", "Connections to PostgreSQL.", (*pgxpool.Stat).TotalConns},
		{"memctl_hub_connections_used", "Connections to PostgreSQL that a request has.", (*pgxpool.Stat).AcquiredConns},
		{"memctl_hub_connections_max", "The most connections to PostgreSQL.", (*pgxpool.Stat).MaxConns},
	} {
		register.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help},
			func() float64 { return float64(gauge.value(store.pool.Stat())) })
	}
	register.NewCounterFunc(prometheus.CounterOpts{
		Name: "memctl_hub_connection_waits_total",
		Help: "How often a request had to wait for a connection to PostgreSQL.",
	}, func() float64 { return float64(store.pool.Stat().EmptyAcquireCount()) })
	return &metrics{
		registry: registry,
		requests: register.NewCounterVec(prometheus.CounterOpts{
			Name: "memctl_hub_requests_total",
			Help: "Requests, by route and status of HTTP.",
		}, []string{"route", "status"}),
		seconds: register.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "memctl_hub_request_seconds",
			Help:    "How long requests took, by route.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
		results: register.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "memctl_hub_results",
			Help:    "How many results an answer had, by action.",
			Buckets: []float64{0, 1, 2, 5, 10, 20, 50, 100, 1000},
		}, []string{"action"}),
		publications: register.NewCounter(prometheus.CounterOpts{
			Name: "memctl_hub_publications_total",
			Help: "Publications that were accepted.",
		}),
		changes: register.NewCounterVec(prometheus.CounterOpts{
			Name: "memctl_hub_published_memories_total",
			Help: "Memories in publications, by what became of them: added, changed, removed or unchanged.",
		}, []string{"change"}),
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2})
}

func (m *metrics) request(route string, status int, elapsed time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(elapsed.Seconds())
}

func (m *metrics) answered(action string, results int, err error) {
	if err == nil {
		m.results.WithLabelValues(action).Observe(float64(results))
	}
}

func (m *metrics) published(p remote.Published) {
	m.publications.Inc()
	m.changes.WithLabelValues("added").Add(float64(p.Added))
	m.changes.WithLabelValues("changed").Add(float64(p.Changed))
	m.changes.WithLabelValues("removed").Add(float64(p.Removed))
	m.changes.WithLabelValues("unchanged").Add(float64(p.Unchanged))
}
