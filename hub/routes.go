package hub

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memctl/features/hub/remote"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// The paths that are not those of package remote.
const (
	mcpPath     = "/mcp"
	healthPath  = "/healthz"
	readyPath   = "/readyz"
	metricsPath = "/metrics"
	// https://www.rfc-editor.org/rfc/rfc9728#section-3.1
	resourcePath = "/.well-known/oauth-protected-resource" + mcpPath
)

// resource tells an MCP client where its person signs in (RFC 9728). It names the issuers that people sign in with,
// those of CI jobs aside.
func (s *Server) resource(http.ResponseWriter, *http.Request) (any, error) {
	r := oauthex.ProtectedResourceMetadata{Resource: s.URL + mcpPath, BearerMethodsSupported: []string{"header"},
		ResourceName: "memctl hub"}
	for _, issuer := range s.Issuers {
		if issuer.RepositoryClaim == "" {
			r.AuthorizationServers = append(r.AuthorizationServers, issuer.Issuer)
		}
	}
	return r, nil
}

// signIns says how people sign in with memctl.
func (s *Server) signIns(http.ResponseWriter, *http.Request) (any, error) {
	answer := remote.SignIns{SignIns: []remote.SignIn{}}
	for _, issuer := range s.Issuers {
		scopes := issuer.Scopes
		if len(scopes) == 0 {
			scopes = []string{"openid", "offline_access"}
		}
		if issuer.ClientID != "" {
			answer.SignIns = append(answer.SignIns, remote.SignIn{Issuer: issuer.Issuer, ClientID: issuer.ClientID,
				Scopes: scopes, IDToken: issuer.ClientID == issuer.Audience})
		}
	}
	return answer, nil
}

// route is a path that the server answers.
type route struct {
	methods []string
	open    bool // without a token, a slot and a line in the log
	handle  handler
}

// handler returns the answer to a request, nil if it has written it.
type handler func(http.ResponseWriter, *http.Request) (answer any, err error)

func (s *Server) newRoutes() map[string]route {
	post, get := []string{http.MethodPost}, []string{http.MethodGet, http.MethodHead}
	routes := map[string]route{
		remote.PublishPath:      {methods: post, handle: s.publishing(s.store.Publish)},
		remote.PartPath:         {methods: post, handle: s.publishing(s.store.PublishPart)},
		remote.TreePath:         {methods: post, handle: s.publishing(s.store.PublishTree)},
		remote.SearchPath:       {methods: post, handle: question(s, s.search)},
		remote.GetPath:          {methods: post, handle: question(s, s.store.Get)},
		remote.TimelinePath:     {methods: post, handle: question(s, s.store.Timeline)},
		remote.RepositoriesPath: {methods: get, handle: question(s, s.store.Repositories)},
		mcpPath:                 {methods: post, handle: s.mcpHandler()},
		remote.SignInPath:       {methods: get, open: true, handle: s.signIns},
		healthPath:              {methods: get, open: true, handle: health},
		readyPath:               {methods: get, open: true, handle: s.ready},
	}
	if s.URL != "" {
		routes[resourcePath] = route{methods: get, open: true, handle: s.resource}
	}
	if !s.OwnMetrics {
		routes[metricsPath] = route{methods: get, open: true, handle: s.metrics.handle}
	}
	s.addAdministration(routes)
	return routes
}

// route answers a request, after the checks that all requests have in common.
func (s *Server) route(w *recorder, r *http.Request, known route) error {
	if known.handle == nil {
		return refusal(http.StatusNotFound, "not_found", "there is nothing at this path")
	}
	if r.Method == http.MethodOptions || !slices.Contains(known.methods, r.Method) {
		w.Header().Set("Allow", strings.Join(append(known.methods, http.MethodOptions), ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return refusal(http.StatusMethodNotAllowed, "bad_request", "expected %s, got another method", known.methods[0])
	}
	if !known.open {
		a, leave, err := s.admit(w, r)
		if err != nil {
			return unread(w, err)
		}
		defer leave()
		r = r.WithContext(context.WithValue(r.Context(), askerKey{}, a))
	}
	answer, err := known.handle(w, r)
	if err != nil || answer == nil {
		return err
	}
	return write(w, http.StatusOK, answer)
}

// admit returns who sends a request, and counts it until leave is called.
func (s *Server) admit(w *recorder, r *http.Request) (a asker, leave func(), err error) {
	if err := s.checkOrigin(r); err != nil {
		return a, nil, err
	}
	token := tokenHash(sha256.Sum256([]byte(r.Header.Get("Authorization"))))
	if err := s.people.check(token); err != nil {
		return a, nil, err
	}
	request := w.Header().Get(requestHeader)
	a.Principal, err = s.authenticate(r)
	if err == errUnauthorized {
		s.keepSignIn(r.Context(), request)
	}
	if err != nil {
		return a, nil, err
	}
	w.person, a.Request = a.Person, request
	a.person, leave, err = s.people.enter(a.Person, token)
	return a, leave, err
}

// checkOrigin refuses a page of another site. A program sends no origin.
func (s *Server) checkOrigin(r *http.Request) error {
	origin := r.Header.Get("Origin")
	_, host, _ := strings.Cut(origin, "://")
	if s.origins.Check(r) != nil || origin != "" && host != r.Host { // Check lets every GET through
		return refusal(http.StatusForbidden, "forbidden", "this request comes from a page of another site")
	}
	return nil
}

// asker is who sent a request.
type asker struct {
	Principal
	person *person
}

type askerKey struct{}

// askerOf returns who asks. Without one it has the zero Principal, which sees nothing.
func askerOf(ctx context.Context) asker {
	a, _ := ctx.Value(askerKey{}).(asker)
	return a
}

func principalOf(ctx context.Context) Principal { return askerOf(ctx).Principal }

// authenticate returns whose bearer token a request has.
func (s *Server) authenticate(r *http.Request) (Principal, error) {
	header := r.Header.Values("Authorization")
	if len(header) == 0 {
		return Principal{}, refusal(http.StatusUnauthorized, "unauthorized", "a bearer token is needed")
	}
	scheme, token, _ := strings.Cut(header[0], " ")
	token = strings.TrimSpace(token)
	switch {
	case len(header) > 1 || !strings.EqualFold(scheme, "Bearer"):
		return Principal{}, errUnauthorized
	case strings.HasPrefix(token, tokenPrefix):
		release, err := take(r.Context(), s.signingIn, slotTimeout, errBusy)
		if err != nil {
			return Principal{}, err
		}
		defer release()
		return s.store.Authenticate(r.Context(), token)
	case len(s.providers) > 0:
		return s.providedPrincipal(r.Context(), token)
	}
	return Principal{}, errUnauthorized
}

// refusals counts sign-ins that were refused since a row of the audit had their number.
type refusals struct {
	mu    sync.Mutex
	count int
	kept  time.Time
}

// refusalPause is the time between two rows of the audit for refused sign-ins: a stranger causes no more.
const refusalPause = time.Second

// keepSignIn keeps in the audit that sign-ins were refused.
func (s *Server) keepSignIn(ctx context.Context, request string) {
	s.refused.mu.Lock()
	s.refused.count++
	count := s.refused.count
	due := time.Since(s.refused.kept) >= refusalPause
	if due {
		s.refused.count, s.refused.kept = 0, time.Now()
	}
	s.refused.mu.Unlock()
	if !due {
		return
	}
	e := entry{action: signInAction, results: count, refused: errUnauthorized.Code}
	if err := s.store.audit(ctx, Principal{Request: request}, e); err != nil {
		s.Log.Warn("a refused sign-in is not in the audit", "error", err.Error())
	}
}

// errInternal hides an error that the client can do nothing about.
var errInternal = refusal(http.StatusInternalServerError, "internal", "the hub failed; its log says why")

// shown returns what a client may see of an error, and counts it. It logs what the client may not see.
func (s *Server) shown(request string, err error) *remote.Error {
	e, isKnown := errors.AsType[*remote.Error](err)
	if isKnown {
		if cause := err.Error(); e.Status == http.StatusServiceUnavailable && cause != e.Error() {
			s.Log.Warn("request failed", "error", cause, "request", request)
		}
	} else if errors.Is(err, context.Canceled) {
		e = refusal(http.StatusServiceUnavailable, "busy", "the request was cut off")
	} else {
		s.Log.Error("request failed", "error", err.Error(), "request", request)
		e = errInternal
	}
	s.metrics.refusals.WithLabelValues(e.Code, strconv.Itoa(e.Status)).Inc()
	return e
}

// fail answers a request with an error.
func (s *Server) fail(w http.ResponseWriter, err error) {
	request := w.Header().Get(requestHeader)
	e := s.shown(request, err)
	switch e.Status {
	case http.StatusUnauthorized:
		challenge := `Bearer realm="memctl"`
		if e == errUnauthorized {
			challenge += `, error="invalid_token"`
		}
		if s.URL != "" {
			challenge += `, resource_metadata="` + s.URL + resourcePath + `"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "1")
	}
	answer := remote.Failure{Error: *e}
	answer.Error.Request = request
	_ = write(w, e.Status, answer) // it can be written as JSON
}

// write answers with JSON.
func write(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
	return nil
}

// health answers that the process runs.
func health(w http.ResponseWriter, _ *http.Request) (any, error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
	return nil, nil
}

// errLoading says that a search of all repositories would take too long.
var errLoading = refusal(http.StatusServiceUnavailable, "loading", "the hub has just started and reads its postings")

// ready answers whether PostgreSQL can be reached and has what this program expects.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) (any, error) {
	ctx, stop := context.WithTimeout(r.Context(), readyTimeout)
	defer stop()
	err := s.store.Ready(ctx)
	switch known, isKnown := errors.AsType[*remote.Error](err); {
	case err == nil && s.MergeEvery > 0 && !s.loaded.Load():
		return nil, errLoading
	case err == nil:
		return health(w, r)
	case isKnown:
		return nil, known
	}
	s.Log.Warn("not ready", "error", err.Error())
	return nil, refusal(http.StatusServiceUnavailable, "busy",
		"PostgreSQL cannot be reached, or not all is there; the hub's log says more")
}

// limitReading bounds how long the client may take to send the body.
func limitReading(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(d))
}
