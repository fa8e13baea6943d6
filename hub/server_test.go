package hub

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"
)

// servedHub is a hub that answers over HTTP.
type servedHub struct {
	testHub
	server *Server
	url    string
	log    *syncBuffer
}

func serveHub(t *testing.T, o ServerOptions) servedHub {
	t.Helper()
	h := servedHub{testHub: newHub(t), log: &syncBuffer{}}
	o.Log = slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	server, err := NewServer(h.Store, o)
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	h.server, h.url = server, listening.URL
	return h
}

type syncBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// token returns a new token for a person.
func (h servedHub) token(t *testing.T, person string, groups ...string) string {
	t.Helper()
	made, err := h.owner.CreateToken(t.Context(), NewToken{Person: person, Groups: groups})
	if err != nil {
		t.Fatal(err)
	}
	return made.Secret
}

// reply is an answer of the server.
type reply struct {
	status int
	header http.Header
	body   string
}

// error returns the error in an answer.
func (r reply) error(t *testing.T) remote.Error {
	t.Helper()
	var f remote.Failure
	if err := json.Unmarshal([]byte(r.body), &f); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return f.Error
}

// request sends a request. Header has pairs of a name and a value, "" for none.
func (h servedHub) request(t *testing.T, method, path, token string, body io.Reader, header ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set(requestHeader, "test")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(data)}
}

// post sends a value as JSON, a publication with its address.
func (h servedHub) post(t *testing.T, path, token string, v any) reply {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := v.(remote.Publication); ok {
		path = addressed(path, p)
	}
	return h.request(t, "POST", path, token, bytes.NewReader(data))
}

func packed(t *testing.T, data []byte) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// endless is a body whose length the client does not say.
func endless(n int64) io.Reader { return io.LimitReader(spaces{}, n) }

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestRequestsThatAreRefused(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	h.grant(t, "user:anna", "github.com/acme/other", true)
	const search = remote.SearchPath
	publish := addressed(remote.PublishPath, onlyNote("github.com/acme/other"))
	with := func(name, value string) string {
		v := onlyNote("github.com/acme/other").Values()
		v.Add(name, value)
		if name == "sequence" {
			v.Set(name, value)
		}
		return remote.PublishPath + "?" + v.Encode()
	}
	tests := map[string]struct {
		method, path string
		body         io.Reader
		header       []string
		status       int
		code, field  string
	}{
		"an unknown path":        {path: "/v1/delete", status: 404, code: "not_found"},
		"a path above":           {path: "/v1/../v1/search/", status: 404, code: "not_found"},
		"another method":         {method: "PUT", path: search, status: 405, code: "bad_request"},
		"a search by GET":        {method: "GET", path: search, status: 405, code: "bad_request"},
		"a POST of repositories": {path: remote.RepositoriesPath, status: 405, code: "bad_request"},
		"a stream of MCP":        {method: "GET", path: mcpPath, status: 405, code: "bad_request"},
		"another type":           {path: search, body: strings.NewReader("{}"), header: []string{"Content-Type", "text/plain"}, status: 415, code: "bad_request"},
		"no type":                {path: search, body: strings.NewReader("{}"), header: []string{"Content-Type", ""}, status: 415, code: "bad_request"},
		"another encoding":       {path: search, body: strings.NewReader("{}"), header: []string{"Content-Encoding", "br"}, status: 415, code: "bad_request"},
		"not packed":             {path: search, body: strings.NewReader("{}"), header: []string{"Content-Encoding", "gzip"}, status: 400, code: "bad_request"},
		"no body":                {path: search, status: 400, code: "bad_request"},
		"half a body":            {path: search, body: strings.NewReader(`{"query":"jw`), status: 400, code: "bad_request"},
		"a list":                 {path: search, body: strings.NewReader(`[]`), status: 400, code: "bad_request"},
		"no UTF-8":               {path: search, body: strings.NewReader("{\"query\":\"\xff\"}"), status: 400, code: "bad_request"},
		"an unknown field":       {path: search, body: strings.NewReader(`{"query":"jwt","person":"root"}`), status: 400, code: "bad_request", field: "person"},
		"a value of other type":  {path: search, body: strings.NewReader(`{"query":["jwt"]}`), status: 400, code: "bad_request", field: "query"},
		"a broken number":        {path: search, body: strings.NewReader(`{"query":"jwt","limit":1.5}`), status: 400, code: "bad_request", field: "limit"},
		"something after":        {path: search, body: strings.NewReader(`{"query":"jwt"}{}`), status: 400, code: "bad_request"},
		"a NUL in the query":     {path: search, body: strings.NewReader(`{"query":"j\u0000wt"}`), status: 400, code: "bad_request", field: "query"},
		"a NUL in the category":  {path: search, body: strings.NewReader(`{"query":"jwt","category":"\u0000"}`), status: 400, code: "bad_request", field: "category"},
		"a NUL in an id":         {path: remote.GetPath, body: strings.NewReader(`{"ids":["\u0000"]}`), status: 400, code: "bad_request", field: "ids"},
		"a NUL in a moment":      {path: remote.TimelinePath, body: strings.NewReader(`{"id":"\u0000"}`), status: 400, code: "bad_request", field: "id"},
		"a long search":          {path: search, body: strings.NewReader(strings.Repeat(" ", remote.MaxRequest+1)), status: 413, code: "too_large"},
		"an endless search":      {path: search, body: endless(remote.MaxRequest + 1), status: 413, code: "too_large"},
		"a bomb of a search":     {path: search, body: packed(t, make([]byte, 1<<20)), header: []string{"Content-Encoding", "gzip"}, status: 413, code: "too_large"},
		"an endless message":     {path: mcpPath, body: endless(remote.MaxRequest + 1), status: 413, code: "too_large"},
		"a batch of messages":    {path: mcpPath, body: strings.NewReader(` [{"jsonrpc":"2.0","id":1,"method":"ping"}]`), status: 400, code: "bad_request"},
		"a page of another site": {path: search, body: strings.NewReader(`{"query":"jwt"}`), header: []string{"Origin", "https://evil.example"}, status: 403, code: "forbidden"},
		"a list for such a page": {method: "GET", path: remote.RepositoriesPath, header: []string{"Origin", "https://evil.example"}, status: 403, code: "forbidden"},
		"MCP for such a page":    {path: mcpPath, body: strings.NewReader(`{}`), header: []string{"Origin", "null"}, status: 403, code: "forbidden"},
		"publishing a field":     {path: publish, body: strings.NewReader(`{"repo":"x"}`), status: 400, code: "bad_request", field: "repo"},
		"publishing as before":   {path: remote.PublishPath, body: strings.NewReader(`{"repository":"github.com/acme/other"}`), status: 400, code: "bad_request"},
		"publishing a value":     {path: with("repo", "x"), status: 400, code: "bad_request", field: "repo"},
		"publishing twice":       {path: with("repository", "github.com/acme/other"), status: 400, code: "bad_request", field: "repository"},
		"publishing zero":        {path: with("sequence", "0"), status: 400, code: "bad_request", field: "sequence"},
		"publishing minus one":   {path: with("sequence", "-1"), status: 400, code: "bad_request", field: "sequence"},
		"publishing 1e30":        {path: with("sequence", "1e30"), status: 400, code: "bad_request", field: "sequence"},
		"publishing 2^63":        {path: with("sequence", "9223372036854775808"), status: 400, code: "bad_request", field: "sequence"},
		"publishing a long tree": {path: with("tree", strings.Repeat("0", 101)), status: 400, code: "bad_request", field: "tree"},
		"publishing half escape": {path: publish + "&tree=%", status: 400, code: "bad_request"},
		"publishing a number":    {path: publish, body: strings.NewReader(`{"memories":1}`), status: 400, code: "bad_request", field: "memories"},
		"publishing numbers":     {path: publish, body: strings.NewReader(`{"memories":[{"path":1}]}`), status: 400, code: "bad_request", field: "memories.path"},
		"publishing no memory":   {path: publish, body: strings.NewReader(`{"memories":[{"path":"decisions/jwt.json"}]}`), status: 400, code: "invalid_memory"},
		"publishing too many":    {path: publish, body: bytes.NewReader(rawJSON(t, remote.Publication{Memories: tooMany()})), status: 413, code: "too_large"},
		"publishing much":        {path: publish, body: endless(remote.MaxBody + 1), status: 413, code: "too_large"},
		"publishing a bomb":      {path: publish, body: packed(t, make([]byte, remote.MaxBody+1)), header: []string{"Content-Encoding", "gzip"}, status: 413, code: "too_large"},
		"publishing half":        {path: publish, body: strings.NewReader(`{"memories":[`), status: 400, code: "bad_request"},
		"publishing more":        {path: publish, body: strings.NewReader(`{"memories":[]}{}`), status: 400, code: "bad_request"},
		"publishing null":        {path: publish, body: strings.NewReader(`null`), status: 400, code: "bad_request", field: "memories"},
		"publishing a null list": {path: publish, body: strings.NewReader(`{"memories":null}`), status: 400, code: "bad_request", field: "memories"},
		"publishing unasked":     {path: addressed(remote.PublishPath, onlyNote(payments)), status: 403, code: "forbidden"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.method == "" {
				tt.method = "POST"
			}
			got := h.request(t, tt.method, tt.path, token, tt.body, tt.header...)
			e := got.error(t)
			if got.status != tt.status || e.Code != tt.code || e.Field != tt.field || e.Message == "" {
				t.Errorf("%d %+v, want %d %s in %q", got.status, e, tt.status, tt.code, tt.field)
			}
			if tt.status == http.StatusMethodNotAllowed && got.header.Get("Allow") == "" {
				t.Error("no header says which methods are allowed")
			}
		})
	}
}

// tooMany are more memories than a publication may have.
func tooMany() (list []remote.File) {
	for i := range remote.MaxMemories + 1 {
		list = append(list, remote.File{Path: fmt.Sprintf("decisions/m%d.json", i), Digest: "0"})
	}
	return list
}

// onlyNote is a publication of one memory.
func onlyNote(repository string) remote.Publication {
	p := publication(1, note("jwt", "JWT keys rotate"))
	p.Repository = repository
	return p
}

// addressed returns a path with what the address of a publication has.
func addressed(path string, p remote.Publication) string { return path + "?" + p.Values().Encode() }

// A client that says how much it will send is refused before it has sent it.
func TestALongBodyIsNotRead(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	h.grant(t, "user:anna", "%", true)
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n{", addressed(remote.PublishPath, onlyNote(payments)), token)
	answer, err := io.ReadAll(conn) // until the server closes
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 413 ") {
		t.Errorf("%v: %.200s", err, answer)
	}
}

// Who may not publish a repository is refused before the body comes, and the audit names it.
func TestABodyWithoutAGrantIsNotRead(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:anna", "%", false)
	h.grant(t, "user:anna", ledger, true)
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", addressed(remote.PublishPath, onlyNote(payments)), h.token(t, "anna"))
	answer, err := io.ReadAll(conn) // until the server closes
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 403 ") {
		t.Errorf("%v: %.200s", err, answer)
	}
	if got := rows[string](t, h.testHub, `SELECT detail FROM audit WHERE refused = 'forbidden'`); !slices.Equal(got, []string{payments + " " + commitOf(1) + " 1"}) {
		t.Errorf("the audit has %q", got)
	}
}

func TestTokensOverHTTP(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	valid := h.token(t, "anna")
	challenge := `Bearer realm="memctl"`
	for name, header := range map[string]string{
		"none": "", "no scheme": valid, "another scheme": "Basic " + valid, "empty": "Bearer ", "foreign": "Bearer " + tokenPrefix + strings.Repeat("a", 43),
		"malformed": "Bearer memctl_' OR true --", "a JWT without a provider": "Bearer eyJhbGciOiJub25lIn0.e30.", "long": "Bearer " + strings.Repeat("a", 10_000),
	} {
		want := challenge
		if header != "" {
			want += `, error="invalid_token"`
		}
		for _, path := range []string{remote.RepositoriesPath, remote.SearchPath, mcpPath} {
			method := "POST"
			if path == remote.RepositoriesPath {
				method = "GET"
			}
			got := h.request(t, method, path, "", strings.NewReader(`{"query":"jwt"}`), "Authorization", header)
			if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") != want || got.error(t).Code != "unauthorized" {
				t.Errorf("%s at %s: %d %s, challenge %s", name, path, got.status, got.body, got.header.Get("WWW-Authenticate"))
			}
		}
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, valid, nil); got.status != http.StatusOK {
		t.Errorf("a valid token: %d %s", got.status, got.body)
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, "", nil, "Authorization", "bearer "+valid); got.status != http.StatusOK {
		t.Errorf("the scheme in lower case: %d %s", got.status, got.body)
	}
	if _, err := h.owner.RevokeTokens(t.Context(), Revocation{Secret: valid}); err != nil {
		t.Fatal(err)
	}
	if got := h.request(t, "GET", remote.RepositoriesPath, valid, nil); got.status != http.StatusUnauthorized {
		t.Errorf("a revoked token: %d %s", got.status, got.body)
	}
	if strings.Contains(h.log.String(), tokenPrefix) {
		t.Errorf("the log has a token: %s", h.log)
	}
}

func TestOpenPaths(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	for path, want := range map[string]string{healthPath: "ok\n", readyPath: "ok\n", metricsPath: "memctl_hub_connections_max"} {
		if got := h.request(t, "GET", path, "", nil); got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %.200s", path, got.status, got.body)
		}
		if got := h.request(t, "HEAD", path, "", nil); got.status != http.StatusOK || got.body != "" {
			t.Errorf("HEAD of %s: %d %.200s", path, got.status, got.body)
		}
	}
	got := h.request(t, "OPTIONS", remote.SearchPath, "", nil)
	if got.status != http.StatusNoContent || got.header.Get("Allow") != "POST, OPTIONS" || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS: %d %v", got.status, got.header)
	}
	h.exec(t, `DELETE FROM goose_db_version WHERE version_id > 1`)
	if got := h.request(t, "GET", readyPath, "", nil); got.status != http.StatusServiceUnavailable || got.error(t).Code != "other_schema" {
		t.Errorf("older tables: %d %s", got.status, got.body)
	}
	if got := h.request(t, "GET", healthPath, "", nil); got.status != http.StatusOK {
		t.Errorf("older tables make the process ill: %d", got.status)
	}
}

// Metrics on an address of their own are on no other.
func TestOwnMetrics(t *testing.T) {
	h := serveHub(t, ServerOptions{OwnMetrics: true})
	if got := h.request(t, "GET", metricsPath, "", nil); got.status != http.StatusNotFound {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestMetricsCountRequests(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:publisher", "%", true)
	if got := h.post(t, remote.PublishPath, h.token(t, "publisher"), onlyNote(payments)); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	h.request(t, "POST", "/"+strings.Repeat("x", 100), "", nil)
	h.post(t, remote.SearchPath, h.token(t, "publisher"), remote.Query{Query: "nowhere"})
	h.post(t, remote.GetPath, h.token(t, "publisher"), remote.Selection{IDs: []string{payments + ":decisions/nowhere"}})
	h.post(t, remote.TimelinePath, h.token(t, "publisher"), remote.Moment{ID: payments + ":decisions/nowhere"})
	metrics := h.request(t, "GET", metricsPath, "", nil).body
	for _, line := range []string{
		`memctl_hub_requests_total{route="/v1/publish",status="200"} 1`,
		`memctl_hub_requests_total{route="other",status="404"} 1`,
		`memctl_hub_publications_total 1`,
		`memctl_hub_published_memories_total{change="added"} 1`,
		`memctl_hub_results_count{action="publish"} 1`,
		`memctl_hub_results_count{action="search"} 1`,
		`memctl_hub_refusals_total{code="not_found",status="404"} 3`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("no %s in the metrics", line)
		}
	}
	if strings.Contains(metrics, `memctl_hub_results_count{action="get"}`) || strings.Contains(metrics, `memctl_hub_results_count{action="timeline"}`) {
		t.Error("what was not found counts as an answer")
	}
	if !strings.Contains(metrics, "\nmemctl_hub_connection_waits_total ") {
		t.Error("the metrics do not say how often a request waited for a connection")
	}
	if strings.Contains(metrics, "payments") || strings.Contains(metrics, "publisher") {
		t.Error("the metrics name a repository or a person")
	}
}

func TestAPanicIsContained(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.server.routes["/panic"] = route{methods: []string{"GET"}, handle: func(http.ResponseWriter, *http.Request) (any, error) { panic("a secret") }}
	got := h.request(t, "GET", "/panic", h.token(t, "anna"), nil)
	if got.status != http.StatusInternalServerError || got.error(t).Code != "internal" || strings.Contains(got.body, "secret") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if !strings.Contains(h.log.String(), "a secret") {
		t.Error("the log does not say why")
	}
	if len(h.server.slots) != 0 {
		t.Error("a slot is lost")
	}
}

// Requests that are running when the server ends are answered.
func TestGracefulEnd(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	began, finish := make(chan struct{}), make(chan struct{})
	h.server.routes["/slow"] = route{methods: []string{"GET"}, open: true, handle: func(w http.ResponseWriter, _ *http.Request) (any, error) {
		close(began)
		<-finish
		_, err := w.Write([]byte("answered"))
		return nil, err
	}}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := &closingListener{Listener: tcp, closed: make(chan struct{})}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(ctx, listener) }()
	h.url = "http://" + listener.Addr().String()
	answered := make(chan reply, 1)
	go func() { answered <- h.request(t, "GET", "/slow", "", nil) }()
	<-began
	end()
	<-listener.closed
	close(finish)
	if got := <-answered; got.body != "answered" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// closingListener says when it is closed.
type closingListener struct {
	net.Listener
	once   sync.Once
	closed chan struct{}
}

func (l *closingListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// PostgreSQL that is away makes requests fail in a way that clients try again.
func TestWithoutPostgreSQL(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	hubtest.Stop(t)
	t.Cleanup(func() { hubtest.Start(t) })
	for _, path := range []string{remote.SearchPath, mcpPath} {
		got := h.request(t, "POST", path, token, strings.NewReader(`{"query":"jwt"}`))
		if got.status != http.StatusServiceUnavailable || got.error(t).Code != "busy" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := h.request(t, "GET", readyPath, "", nil); got.status != http.StatusServiceUnavailable {
		t.Errorf("ready without PostgreSQL: %d %s", got.status, got.body)
	}
	if got := h.request(t, "GET", healthPath, "", nil); got.status != http.StatusOK {
		t.Errorf("ill without PostgreSQL: %d %s", got.status, got.body)
	}
}
