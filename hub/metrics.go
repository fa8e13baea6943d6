package hub

import (
	"context"
	"net/http"
	"sync"
	"time"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the metrics for Prometheus. No label names a person or a repository.
type metrics struct {
	handler      http.Handler
	requests     *prometheus.CounterVec
	seconds      *prometheus.HistogramVec
	results      *prometheus.HistogramVec
	publications *prometheus.CounterVec
	changes      *prometheus.CounterVec
	refusals     *prometheus.CounterVec
	jobs         *prometheus.GaugeVec
}

func newMetrics(store *Store) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), &figures{store: store},
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	register := promauto.With(registry)
	pool := func(name, help string, value func(*pgxpool.Stat) int32) {
		register.NewGaugeFunc(prometheus.GaugeOpts{Name: "memctl_hub_" + name, Help: help},
			func() float64 { return float64(value(store.pool.Stat())) })
	}
	pool("connections", "Connections to PostgreSQL.", (*pgxpool.Stat).TotalConns)
	pool("connections_used", "Connections to PostgreSQL that a request has.", (*pgxpool.Stat).AcquiredConns)
	pool("connections_max", "The most connections to PostgreSQL.", (*pgxpool.Stat).MaxConns)
	register.NewCounterFunc(prometheus.CounterOpts{Name: "memctl_hub_connection_waits_total",
		Help: "How often a request had to wait for a connection to PostgreSQL."},
		func() float64 { return float64(store.pool.Stat().EmptyAcquireCount()) })
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return register.NewCounterVec(prometheus.CounterOpts{Name: "memctl_hub_" + name, Help: help}, labels)
	}
	histogram := func(name, help, label string, buckets ...float64) *prometheus.HistogramVec {
		return register.NewHistogramVec(
			prometheus.HistogramOpts{Name: "memctl_hub_" + name, Help: help, Buckets: buckets}, []string{label})
	}
	return &metrics{
		handler:  promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2}),
		requests: counter("requests_total", "Requests, by route and status of HTTP.", "route", "status"),
		seconds: histogram("request_seconds", "How long requests took, by route.", "route",
			.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30),
		results: histogram("results", "How many results an answer had, by action.", "action",
			0, 1, 2, 5, 10, 20, 50, 100, 1000),
		publications: counter("publications_total", "Publications that were accepted."),
		changes: counter("published_memories_total",
			"Memories in publications, by what became of them: added, changed, removed or unchanged.", "change"),
		refusals: counter("refusals_total", "Errors that were answered, by code and status of HTTP: too_slow is a "+
			"question that took too long, busy what a limit cut off.", "code", "status"),
		jobs: register.NewGaugeVec(prometheus.GaugeOpts{Name: "memctl_hub_job_success_timestamp_seconds",
			Help: "When this process last did a regular task: frequencies, postings or audit."}, []string{"task"}),
	}
}

func (m *metrics) handle(w http.ResponseWriter, r *http.Request) (any, error) {
	m.handler.ServeHTTP(w, r)
	return nil, nil
}

func (m *metrics) answered(e entry) { m.results.WithLabelValues(e.action).Observe(float64(e.results)) }

func (m *metrics) published(p remote.Published) {
	m.publications.WithLabelValues().Inc()
	m.changes.WithLabelValues("added").Add(float64(p.Added))
	m.changes.WithLabelValues("changed").Add(float64(p.Changed))
	m.changes.WithLabelValues("removed").Add(float64(p.Removed))
	m.changes.WithLabelValues("unchanged").Add(float64(p.Unchanged))
}

const (
	// figuresEvery is how often figures are read at most, figuresTime how long that may take.
	figuresEvery = 15 * time.Second
	figuresTime  = 2 * time.Second
)

// figures are the metrics of the database, which a scrape reads. If they cannot be read, there are none.
type figures struct {
	store *Store
	mu    sync.Mutex
	at    time.Time
	last  []prometheus.Metric
}

// Describe says nothing: what it would promise, the database may not have.
func (f *figures) Describe(chan<- *prometheus.Desc) {}

func (f *figures) Collect(out chan<- prometheus.Metric) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) >= figuresEvery {
		f.last = nil
		if err := f.read(); err != nil {
			f.store.options.Log.Warn("the metrics of the database cannot be read", "error", err)
		}
		f.at = time.Now()
	}
	for _, metric := range f.last {
		out <- metric
	}
}

func (f *figures) read() error {
	ctx, stop := context.WithTimeout(context.Background(), figuresTime)
	defer stop()
	return f.store.asService(ctx, Principal{}, "", figuresTime, func(tx pgx.Tx) error {
		var repositories, day, week, month, quarter, oldest, audit, words float64
		if err := tx.QueryRow(ctx, `
			SELECT *, (SELECT count(*) FROM (SELECT FROM term_changes LIMIT 1000000) c)
			FROM figures()`).Scan(&repositories, &day, &week, &month, &quarter, &oldest, &audit, &words); err != nil {
			return err
		}
		add := func(name, help string, value float64, labels ...string) {
			names := []string{"days"}[:len(labels)]
			f.last = append(f.last, prometheus.MustNewConstMetric(
				prometheus.NewDesc("memctl_hub_"+name, help, names, nil), prometheus.GaugeValue, value, labels...))
		}
		add("repositories", "Repositories that were published.", repositories)
		for days, n := range map[string]float64{"1": day, "7": week, "30": month, "90": quarter} {
			add("repositories_unpublished", "Repositories that were not published for so many days.", n, days)
		}
		add("oldest_publication_seconds", "How long ago the repository was published that was not for longest.", oldest)
		add("audit_bytes", "The size of the audit, with its indexes.", audit)
		add("waiting_words", "Counts of words that are not merged yet, at most a million: rows of term_changes.", words)
		return nil
	})
}
