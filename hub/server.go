package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxAtOnce is how many questions are answered at the same time, and how many tokens of the
	// hub's own are looked up. The others wait, for at most slotTimeout.
	maxAtOnce   = 64
	slotTimeout = 5 * time.Second
	// maxPublications is how many publications are written at the same time. The others wait, for
	// at most publishingTimeout.
	maxPublications   = 4
	publishingTimeout = 30 * time.Second
	// maxHeader is the size limit of a request's header in bytes.
	maxHeader = 64 << 10
	// The time limits of a connection: to send a header, to send a request other than a publication, to send a
	// publication, from the header to the end of the answer, and between two requests.
	headerTimeout      = 10 * time.Second
	requestTimeout     = 10 * time.Second
	publicationTimeout = 2 * time.Minute
	answerTimeout      = 4 * time.Minute
	idleTimeout        = 2 * time.Minute
	// endTimeout is how long running requests may take once the server ends.
	endTimeout = 10 * time.Second
	// auditEvery is the time between two runs of Store.KeepAudit.
	auditEvery = time.Hour
	// readyTimeout is how long PostgreSQL may take to answer whether it is ready.
	readyTimeout = 2 * time.Second
)

// ServerOptions say how to serve.
type ServerOptions struct {
	Issuers    []OIDC        // the identity providers
	MergeEvery time.Duration // how often to run Store.MergeFrequencies and Store.KeepPostings; 0 for never
	AuditDays  int           // how long rows stay in the audit; 0 for ever
	// OwnMetrics says that the metrics are served elsewhere, by MetricsHandler.
	OwnMetrics bool
	// URL is the address by which clients know the hub. With it, MCP clients find where to sign in.
	URL string
	// Certificate returns the certificate of TLS; without it the server speaks HTTP.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	Log         *slog.Logger
}

// Server answers the requests of clients from a Store.
type Server struct {
	ServerOptions
	store     *Store
	providers map[string]*provider // by issuer
	refused   refusals
	metrics   *metrics
	routes    map[string]route
	people    people
	signingIn chan struct{}
	slots     chan struct{}
	writing   chan struct{} // publications
	origins   http.CrossOriginProtection
	loaded    atomic.Bool // the postings have been read once
}

// NewServer returns a server that is not listening yet.
func NewServer(store *Store, o ServerOptions) (*Server, error) {
	s := &Server{
		ServerOptions: o,
		store:         store,
		metrics:       store.metrics,
		providers:     map[string]*provider{},
		people:        people{byName: map[string]*person{}, byToken: map[tokenHash]*person{}},
		signingIn:     make(chan struct{}, maxAtOnce),
		slots:         make(chan struct{}, maxAtOnce),
		writing:       make(chan struct{}, maxPublications),
	}
	for _, issuer := range o.Issuers {
		provider, err := newProvider(issuer)
		if err != nil {
			return nil, err
		}
		if s.providers[issuer.Issuer] != nil {
			return nil, fmt.Errorf("the issuer %q occurs twice", issuer.Issuer)
		}
		s.providers[issuer.Issuer] = provider
	}
	s.routes = s.newRoutes()
	return s, nil
}

// Serve answers requests until the context ends, and then those that are running.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.Certificate != nil {
		protocols := []string{"h2", "http/1.1"}
		listener = tls.NewListener(listener, &tls.Config{GetCertificate: s.Certificate, NextProtos: protocols})
	}
	jobs, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	if s.MergeEvery > 0 {
		running.Go(func() { s.regularly(jobs, "frequencies", s.MergeEvery, s.store.MergeFrequencies) })
		running.Go(func() { s.regularly(jobs, "postings", s.MergeEvery, s.keepPostings) })
	}
	running.Go(func() { s.regularly(jobs, "audit", auditEvery, s.keepAudit) })
	return serveUntil(ctx, s.httpServer(s), listener)
}

// ServeMetrics serves the metrics alone until the context ends.
func (s *Server) ServeMetrics(ctx context.Context, listener net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("GET "+metricsPath, s.metrics.handler)
	return serveUntil(ctx, s.httpServer(mux), listener)
}

func (s *Server) httpServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       publicationTimeout,
		WriteTimeout:      answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
}

// serveUntil serves until the context ends. Requests that are running then have endTimeout.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping, stop := context.WithTimeout(context.Background(), endTimeout)
	defer stop()
	if err := server.Shutdown(stopping); err != nil {
		server.Close()
		return errors.New("requests were still running 10 seconds after the end; they were cut off")
	}
	return nil
}

// regularly does a job at once and then regularly, until the context ends.
func (s *Server) regularly(ctx context.Context, job string, every time.Duration, do func(context.Context) error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := do(ctx); err == nil {
			s.metrics.jobs.WithLabelValues(job).SetToCurrentTime()
		} else if ctx.Err() == nil {
			s.Log.Warn("a regular job failed", "job", job, "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

func (s *Server) keepPostings(ctx context.Context) error {
	err := s.store.KeepPostings(ctx)
	if err == nil || len(s.store.segments.held()) > 0 { // one that cannot be read is not the hub's end
		s.loaded.Store(true)
	}
	return err
}

func (s *Server) keepAudit(ctx context.Context) error {
	removed, err := s.store.KeepAudit(ctx, s.AuditDays)
	if removed > 0 {
		s.Log.Info("removed from the audit", "rows", removed, "days", s.AuditDays)
	}
	return err
}

// ServeHTTP answers a request, counts it and writes a line to the log.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	answer := &recorder{ResponseWriter: w}
	known, label := s.routes[r.URL.Path], r.URL.Path
	if known.handle == nil {
		label = "other"
	}
	request := r.Header.Get(requestHeader)
	if !requestForm.MatchString(request) {
		request = rand.Text()
	}
	defer func() {
		problem := recover()
		if problem == http.ErrAbortHandler {
			panic(problem)
		}
		if problem != nil {
			s.Log.Error("panic", "route", label, "problem", problem, "request", request, "stack",
				string(debug.Stack()))
			if answer.status == 0 {
				s.fail(answer, errInternal)
			}
		}
		elapsed := time.Since(began)
		s.metrics.requests.WithLabelValues(label, strconv.Itoa(answer.status)).Inc()
		s.metrics.seconds.WithLabelValues(label).Observe(elapsed.Seconds())
		level := slog.LevelInfo
		if known.open {
			level = slog.LevelDebug
		}
		s.Log.Log(r.Context(), level, "request", "method", r.Method, "route", label, "status", answer.status,
			"ms", elapsed.Milliseconds(), "bytes", answer.bytes, "person", answer.person, "from", r.RemoteAddr,
			"request", request)
	}()
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	header.Set(requestHeader, request)
	if err := s.route(answer, r, known); err != nil {
		s.fail(answer, err)
	}
}

// requestHeader names a request, in the log, the audit and the answer: as a client or proxy does, if that has the form.
const requestHeader = "X-Request-Id"

var requestForm = regexp.MustCompile(`^[!-~]{1,64}$`)

// recorder remembers what was answered to whom.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
	person string
}

func (r *recorder) WriteHeader(status int) {
	r.status = cmp.Or(r.status, status)
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.status = cmp.Or(r.status, http.StatusOK)
	n, err := r.ResponseWriter.Write(p)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// NewCertificate returns a function that returns the certificate in two PEM files, which another program renews: the
// one that is in them now, or the last one if they cannot be read.
func NewCertificate(certFile, keyFile string) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	var last atomic.Pointer[tls.Certificate]
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		now, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err == nil {
			last.Store(&now)
		} else if last.Load() == nil {
			return nil, err
		}
		return last.Load(), nil
	}
}
