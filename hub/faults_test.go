package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// repool gives a store another pool.
func repool(t *testing.T, s *Store, change func(*pgxpool.Config)) {
	t.Helper()
	config := s.pool.Config()
	change(config)
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	s.pool.Close()
	s.pool = pool
}

// wantBusy fails unless a request was refused as one that may be tried again.
func wantBusy(t *testing.T, what string, got reply) {
	t.Helper()
	code := got.error(t).Code
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" ||
		code != "busy" && code != "too_slow" {
		t.Errorf("%s: %d %s", what, got.status, got.body)
	}
}

// A table that something else has locked makes questions fail after the time limit of a
// statement. They leave nothing behind, and publications get through once the lock is gone.
func TestALockedTable(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	before := publication(1, note("jwt", "JWT keys rotate"))
	mustPublish(t, h.testHub, anna, before)
	h.options.StatementTimeout = 400 * time.Millisecond
	repool(t, h.Store, func(c *pgxpool.Config) { c.MaxConns = 4 })
	tx, err := h.owner.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), `SAVEPOINT none; LOCK TABLE audit`); err != nil {
		t.Fatal(err)
	}
	wantBusy(t, "readiness beside a locked audit", h.request(t, "GET", readyPath, "", nil))
	if _, err := tx.Exec(t.Context(), `ROLLBACK TO none; LOCK TABLE memories`); err != nil {
		t.Fatal(err)
	}
	published := make(chan reply, 1)
	go func() { published <- h.post(t, remote.PublishPath, token, onlyNote(payments)) }()
	var all sync.WaitGroup
	for range 12 { // three times as many as there are connections
		all.Go(func() {
			wantBusy(t, "a search of a locked table", h.post(t, remote.SearchPath, token, remote.Query{Query: "keys"}))
			if got := h.request(t, "GET", healthPath, "", nil); got.status != http.StatusOK {
				t.Errorf("health beside a locked table: %d", got.status)
			}
		})
	}
	all.Wait()
	wantBusy(t, "readiness beside a locked table", h.request(t, "GET", readyPath, "", nil))
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-published; got.status != http.StatusOK {
		t.Errorf("the publication that waited: %d %s", got.status, got.body)
	}
	h.options.StatementTimeout = 0
	if got := h.post(t, remote.SearchPath, token, remote.Query{Query: "keys"}); got.status != http.StatusOK || !strings.Contains(got.body, payments) {
		t.Errorf("a search after the lock: %d %s", got.status, got.body)
	}
	h.checkSound(t, before)
	h.wantIdle(t)
}

// wantIdle fails if an answered request holds something still.
func (h servedHub) wantIdle(t *testing.T) {
	t.Helper()
	if n, slots, publishing := h.pool.Stat().AcquiredConns(), len(h.server.slots), len(h.server.writing); len(h.server.people.byName) > 0 || n+int32(slots+publishing) > 0 {
		t.Errorf("%d connections, %d slots and %d slots of publications are held", n, slots, publishing)
	}
}

// The lock of a repository's row is a publication's, too: no question waits for it.
func TestQuestionsDoNotWaitForAPublication(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate")))
	h.options.StatementTimeout = time.Second
	err := h.as(t.Context(), anna, payments, func(tx pgx.Tx) error {
		if _, err := lastOf(t.Context(), tx, anna, publication(2), "FOR NO KEY UPDATE"); err != nil {
			return err
		}
		got := h.post(t, remote.SearchPath, h.token(t, "anna"), remote.Query{Query: "keys"})
		if got.status != http.StatusOK || !strings.Contains(got.body, payments) {
			t.Errorf("%d %s", got.status, got.body)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A request waits for a connection of the pool for a bounded time.
func TestNoConnectionIsFree(t *testing.T) {
	t.Parallel() // it waits
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	repool(t, h.Store, func(c *pgxpool.Config) { c.MaxConns = 1 })
	conn, err := h.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for path, body := range map[string]string{remote.SearchPath: `{"query":"keys"}`, mcpPath: `{}`, addressed(remote.PublishPath, onlyNote(payments)): "{}"} {
		all.Go(func() { wantBusy(t, path, h.request(t, "POST", path, token, strings.NewReader(body))) })
	}
	all.Go(func() { wantBusy(t, readyPath, h.request(t, "GET", readyPath, "", nil)) })
	all.Go(func() {
		if got := h.request(t, "GET", healthPath, "", nil); got.status != http.StatusOK {
			t.Errorf("health: %d", got.status)
		}
	})
	all.Wait()
	conn.Release()
	if got := h.post(t, remote.SearchPath, token, remote.Query{Query: "keys"}); got.status != http.StatusOK {
		t.Errorf("with a free connection: %d %s", got.status, got.body)
	}
	h.wantIdle(t)
}

// A client that goes before it has an answer gives its publication up.
func TestAClientLeaves(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	for range maxPublications { // nobody gets a turn
		h.server.writing <- struct{}{}
	}
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+addressed(remote.PublishPath, onlyNote(payments)), bytes.NewReader(rawJSON(t, onlyNote(payments))))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+h.token(t, "anna"))
	sent := make(chan error)
	go func() {
		_, err := http.DefaultClient.Do(r)
		sent <- err
	}()
	for waiting := false; !waiting; { // until it waits for its turn
		h.server.people.mu.Lock()
		who := h.server.people.byName["anna"]
		waiting = who != nil && len(who.publishing) > 0
		h.server.people.mu.Unlock()
	}
	leave()
	if err := <-sent; err == nil {
		t.Error("the client has an answer")
	}
	for left := false; !left; { // until the server has noticed
		h.server.people.mu.Lock()
		left = len(h.server.people.byName) == 0
		h.server.people.mu.Unlock()
	}
	for range maxPublications {
		<-h.server.writing
	}
	if n := rows[int](t, h.testHub, `SELECT count(*) FROM repositories`)[0]; n > 0 {
		t.Errorf("%d repositories", n)
	}
	h.wantIdle(t)
}

// Others use all connections that PostgreSQL allows.
func TestPostgreSQLIsFull(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	h.pool.Reset()
	dsn := hubtest.Superuser(h.owner.pool.Config().ConnString())
	var others []*pgx.Conn
	for len(others) < 1000 {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			break // too many clients
		}
		others = append(others, conn)
	}
	wantBusy(t, "a search", h.post(t, remote.SearchPath, token, remote.Query{Query: "keys"}))
	wantBusy(t, "a publication", h.post(t, remote.PublishPath, token, onlyNote(payments)))
	wantBusy(t, "ready", h.request(t, "GET", readyPath, "", nil))
	if strings.Contains(h.log.String(), `"level":"ERROR"`) {
		t.Errorf("the log has an error: %s", h.log)
	}
	for _, conn := range others {
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for range 100 { // PostgreSQL ends its processes a moment later
		if h.request(t, "GET", readyPath, "", nil).status == http.StatusOK {
			break
		}
	}
	if got := h.post(t, remote.PublishPath, token, onlyNote(payments)); got.status != http.StatusOK {
		t.Errorf("a publication after all: %d %s", got.status, got.body)
	}
}

// attacks are values for any text of a request.
var attacks = map[string]string{
	"a quote":              `'`,
	"two quotes":           `''`,
	"an escaped quote":     `\'`,
	"a double quote":       `"`,
	"a condition":          `' OR '1'='1`,
	"a statement":          `'; DROP TABLE memories CASCADE; --`,
	"a dollar quote":       `$$; DELETE FROM grants; $$`,
	"a parameter":          `$1`,
	"a comment":            `*/ ; TRUNCATE tokens; /*`,
	"a union":              `x' UNION SELECT hash::text FROM tokens --`,
	"a sleep":              `x'; SELECT pg_sleep(600); --`,
	"a setting":            `x', true), set_config('memctl.principals', '{everyone}', false); --`,
	"an array":             `{"everyone","user:root"}`,
	"a wildcard":           `%`,
	"a tsquery":            `a & !b | (c <-> d):*`,
	"a broken tsquery":     `:*'& |`,
	"a query of FTS5":      `NEAR("a" b) OR title:c*`,
	"a broken query":       `"AND`,
	"invalid UTF-8":        "\xff\xfe",
	"half a surrogate":     `\ud800`,
	"a NUL":                "a\x00b",
	"a line":               "a\r\nX-Header: b",
	"a direction":          "\u202eevil\u2066",
	"a format":             `%s%n%!d(string=x)`,
	"a path above":         `../../etc/passwd`,
	"JSON":                 `{"$ne":null}`,
	"many words":           strings.Repeat("keys rotate ", 2000),
	"a long word":          strings.Repeat("a", 60_000),
	"a word of emoji":      strings.Repeat("👩‍👩‍👧", 1000),
	"many combining marks": "a" + strings.Repeat("\u0301", 20_000),
}

// Text of SQL and other text that is made to break something, in every field of every
// request: the answer is an error of the client, or empty, and the database is as before.
func TestAttacksInEveryField(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.options.AuditQueries = true
	h.grant(t, "user:anna", payments, true)
	h.grant(t, "user:ben", ledger, true)
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate")))
	secret := publication(1, note("book", "The secret zebra"))
	secret.Repository = ledger
	mustPublish(t, h.testHub, Principal{Person: "ben"}, secret)
	token := h.token(t, "anna")
	const id = payments + ":decisions/jwt"
	post := func(path string, v any) reply {
		return h.request(t, "POST", path, token, bytes.NewReader(rawJSON(t, v)))
	}
	publish := func(change func(*remote.Publication)) reply {
		p := publication(1, note("jwt", "JWT keys rotate")) // what is there, if nothing else changes
		change(&p)
		return post(addressed(remote.PublishPath, p), p)
	}
	inNote := func(fields map[string]any) func(*remote.Publication) {
		return func(p *remote.Publication) {
			p.Commit = commitOf(2) // refused where the memory is valid
			p.Memories[0] = noteWith("jwt", "JWT keys rotate", nil, fields)
		}
	}
	mcp := func(method string, params map[string]any) reply {
		body := rawJSON(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		return h.request(t, "POST", mcpPath, token, bytes.NewReader(body), "Mcp-Protocol-Version", "2025-06-18")
	}
	tool := func(name string, arguments map[string]any) reply {
		return mcp("tools/call", map[string]any{"name": name, "arguments": arguments})
	}
	fields := map[string]func(string) reply{
		"query": func(s string) reply { return post(remote.SearchPath, map[string]any{"query": s}) },
		"query and more": func(s string) reply {
			return post(remote.SearchPath, map[string]any{"query": "zebra " + s + " secret"})
		},
		"category":          func(s string) reply { return post(remote.SearchPath, map[string]any{"query": "keys", "category": s}) },
		"limit":             func(s string) reply { return post(remote.SearchPath, map[string]any{"query": "keys", "limit": s}) },
		"a field's name":    func(s string) reply { return post(remote.SearchPath, map[string]any{"query": "keys", s: 1}) },
		"ids":               func(s string) reply { return post(remote.GetPath, map[string]any{"ids": []string{s}}) },
		"the end of ids":    func(s string) reply { return post(remote.GetPath, map[string]any{"ids": []string{id + s}}) },
		"id":                func(s string) reply { return post(remote.TimelinePath, map[string]any{"id": s}) },
		"the start of id":   func(s string) reply { return post(remote.TimelinePath, map[string]any{"id": s + id}) },
		"window":            func(s string) reply { return post(remote.TimelinePath, map[string]any{"id": id, "window": s}) },
		"repository":        func(s string) reply { return publish(func(p *remote.Publication) { p.Repository = s }) },
		"end of repository": func(s string) reply { return publish(func(p *remote.Publication) { p.Repository += s }) },
		"commit":            func(s string) reply { return publish(func(p *remote.Publication) { p.Commit = s }) },
		"path":              func(s string) reply { return publish(func(p *remote.Publication) { p.Memories[0].Path = s }) },
		"name in the path": func(s string) reply {
			return publish(func(p *remote.Publication) { p.Memories[0].Path = "decisions/" + s + ".json" })
		},
		"memory": func(s string) reply {
			return publish(func(p *remote.Publication) { p.Memories[0].Memory = rawJSON(t, s) })
		},
		"memory's id":        func(s string) reply { return publish(inNote(map[string]any{"id": s})) },
		"title":              func(s string) reply { return publish(inNote(map[string]any{"title": s})) },
		"tags":               func(s string) reply { return publish(inNote(map[string]any{"tags": []string{s}})) },
		"created_at":         func(s string) reply { return publish(inNote(map[string]any{"created_at": s})) },
		"record_status":      func(s string) reply { return publish(inNote(map[string]any{"record_status": s})) },
		"category of memory": func(s string) reply { return publish(inNote(map[string]any{"category": s})) },
		"content":            func(s string) reply { return publish(inNote(said(s))) },
		"a memory's field":   func(s string) reply { return publish(inNote(map[string]any{s: s})) },
		"tool":               func(s string) reply { return tool(s, nil) },
		"search's query":     func(s string) reply { return tool("search", map[string]any{"query": s}) },
		"search's category":  func(s string) reply { return tool("search", map[string]any{"query": "keys", "category": s}) },
		"get's ids":          func(s string) reply { return tool("get", map[string]any{"ids": []string{s}}) },
		"timeline's id":      func(s string) reply { return tool("timeline", map[string]any{"id": s}) },
		"uri":                func(s string) reply { return mcp("resources/read", map[string]any{"uri": resourceScheme + s}) },
		"token": func(s string) reply {
			if strings.ContainsAny(s, "\x00\r\n") {
				return reply{} // no header can have it
			}
			return h.request(t, "GET", remote.RepositoriesPath, tokenPrefix+s, nil)
		},
		"method": func(s string) reply { return mcp(s, nil) },
	}
	before := h.dump(t)
	grants := rows[string](t, h.testHub, `SELECT g::text FROM grants g UNION ALL SELECT k::text FROM tokens k ORDER BY 1`)
	for field, send := range fields {
		for name, attack := range attacks {
			got := send(attack)
			if got.status >= 500 || got.status == http.StatusOK && strings.Contains(got.body, "zebra\"") || strings.Contains(got.body, "secret zebra") {
				t.Errorf("%s in %s: %d %.300s", name, field, got.status, got.body)
			}
			if len(got.body) > 4000 && !strings.Contains(got.body, "jsonrpc") && got.header.Get("Content-Type") == jsonMIME { // MCP's library quotes names
				t.Errorf("%s in %s: %d bytes", name, field, len(got.body))
			}
			if strings.Contains(got.body, "SQLSTATE") || strings.Contains(got.body, errInternal.Message) {
				t.Errorf("%s in %s: %.300s", name, field, got.body)
			}
		}
	}
	if log := h.log.String(); strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "SQLSTATE") {
		for line := range strings.Lines(log) {
			if strings.Contains(line, "ERROR") || strings.Contains(line, "SQLSTATE") {
				t.Errorf("the log has %.500s", line)
			}
		}
	}
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(grants, rows[string](t, h.testHub, `SELECT g::text FROM grants g UNION ALL SELECT k::text FROM tokens k ORDER BY 1`)); diff != "" {
		t.Error(diff)
	}
	h.wantIdle(t)
}

// rawJSON encodes a value. Invalid UTF-8 and half a surrogate, which encoding/json would
// replace or escape, stay.
func rawJSON(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	raw := bytes.ReplaceAll(b.Bytes(), []byte(`\ufffd\ufffd`), []byte("\xff\xfe"))
	return bytes.ReplaceAll(raw, []byte(`\\ud800`), []byte(`\ud800`))
}

// What was published with such text is found by it, as text.
func TestAttacksAreText(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	var files []remote.File
	var titles []string
	for name, attack := range attacks {
		if len(attack) > 150 || strings.ContainsAny(attack, "\x00\r") || !utf8.ValidString(attack) {
			continue
		}
		title := fmt.Sprintf("%s %s", strings.ReplaceAll(name, " ", "-"), attack)
		titles = append(titles, title)
		files = append(files, note(fmt.Sprintf("attack-%d", len(files)), title, "attack"))
	}
	p := publication(1, files...)
	mustPublish(t, h.testHub, anna, p)
	h.checkSound(t, p)
	token := h.token(t, "anna")
	for i, title := range titles {
		var results remote.Results
		got := h.post(t, remote.SearchPath, token, remote.Query{Query: title, Limit: 50})
		if err := json.Unmarshal([]byte(got.body), &results); err != nil {
			t.Fatalf("%d %s", got.status, got.body)
		}
		found := false
		for _, r := range results.Results {
			found = found || r.Title == text.Printable(title) && r.ID == fmt.Sprintf("%s:decisions/attack-%d", payments, i)
		}
		if !found {
			t.Errorf("%q is not among %d results: %.300s", title, len(results.Results), got.body)
		}
	}
}

// The hub asks PostgreSQL the same for what is hidden and for what is not there, so that how
// long it takes does not tell them apart.
func TestHiddenAndMissingCostTheSame(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:anna", "%", true)
	h.grant(t, "user:ben", payments, false)
	hidden := publication(1, note("book", "The zebra"))
	hidden.Repository = ledger
	mustPublish(t, h.testHub, anna, hidden)
	token := h.token(t, "ben")
	asked := &statements{}
	repool(t, h.Store, func(c *pgxpool.Config) { c.ConnConfig.Tracer = asked })
	h.post(t, remote.SearchPath, token, remote.Query{Query: "zebra"}) // the first question of a connection has its plan made
	asks := func(path string, v any) []string {
		asked.take()
		h.post(t, path, token, v)
		return asked.take()
	}
	missing := hidden
	missing.Repository = "github.com/acme/nothing"
	for path, questions := range map[string][2]any{
		remote.SearchPath:   {remote.Query{Query: "zebra"}, remote.Query{Query: "nowhere"}},
		remote.GetPath:      {remote.Selection{IDs: []string{ledger + ":decisions/book"}}, remote.Selection{IDs: []string{ledger + ":decisions/nothing"}}},
		remote.TimelinePath: {remote.Moment{ID: ledger + ":decisions/book"}, remote.Moment{ID: "github.com/acme/nothing:decisions/book"}},
		remote.PublishPath:  {hidden, missing},
	} {
		of, want := asks(path, questions[0]), asks(path, questions[1])
		if diff := cmp.Diff(want, of); diff != "" || len(of) < 5 && path == remote.PublishPath || len(of) < 8 && path != remote.PublishPath {
			t.Errorf("%s: %d statements; -missing +hidden:\n%s", path, len(of), diff)
		}
	}
}

// Deep and long bodies are refused before they cost much.
func TestDeepAndLongBodies(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	deep := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	publish := addressed(remote.PublishPath, onlyNote(payments))
	memory := func(extra string) string {
		p := rawJSON(t, publication(1, note("jwt", "JWT")))
		return strings.Replace(string(p), `"tags"`, `"x":`+extra+`,"tags"`, 1)
	}
	for name, tt := range map[string]struct {
		path, body string
		status     int
	}{
		"a deep query":            {remote.SearchPath, `{"query":` + deep(30_000) + `}`, 400},
		"an open query":           {remote.SearchPath, `{"query":` + strings.Repeat(`{"a":`, 10_000), 400},
		"a deep id":               {remote.GetPath, `{"ids":` + deep(30_000) + `}`, 400},
		"a deep message":          {mcpPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":` + deep(30_000) + `}}}`, 400},
		"a deep memory":           {publish, memory(deep(9_000)), 400},
		"a deeper memory":         {publish, memory(deep(1_000_000)), 400},
		"a word of 1 MB":          {remote.SearchPath, `{"query":"` + strings.Repeat("a", 1<<20) + `"}`, 413},
		"a word of 1 MB over MCP": {mcpPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"` + strings.Repeat("a", 1<<20) + `"}}}`, 413},
		"a title of 1 MB":         {publish, strings.Replace(memory("1"), `"JWT"`, `"`+strings.Repeat("a", 1<<20)+`"`, 1), 400},
		"1 MB of fields":          {publish, memory(`{` + strings.Repeat(`"a":1,`, 1<<17) + `"b":1}`), 400},
		"a number of 1 MB":        {publish, memory(strings.Repeat("9", 1<<20)), 400},
		"a sequence of 1 kB":      {publish + strings.Repeat("9", 1000), `{}`, 400},
	} {
		got := h.request(t, "POST", tt.path, token, strings.NewReader(tt.body))
		if got.status != tt.status || len(got.body) > 2000 {
			t.Errorf("%s: %d %.300s, want %d", name, got.status, got.body, tt.status)
		}
	}
	if found := rows[string](t, h.testHub, `SELECT name FROM repositories`); len(found) > 0 {
		t.Errorf("published: %q", found)
	}
	h.wantIdle(t)
}

// Eight publishers of one repository, and of eight that share all words, over HTTP: of one
// repository the highest sequence stays, and every number is right.
func TestPublishersOverHTTP(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	var all sync.WaitGroup
	last := make([]remote.Publication, 9)
	for n := range 8 {
		own := publication(3, note("a", "shared words rotate"), note(fmt.Sprintf("b%d", n), "keys of shared words"))
		own.Repository = fmt.Sprintf("github.com/acme/app-%d", n)
		last[n] = own
		one := publication(int64(n+1), note("a", fmt.Sprintf("shared words %d", n)))
		last[8] = one
		all.Go(func() {
			if got := h.post(t, remote.PublishPath, token, own); got.status != http.StatusOK {
				t.Errorf("%s: %d %s", own.Repository, got.status, got.body)
			}
			if got := h.post(t, remote.PublishPath, token, one); got.status != http.StatusOK && got.status != http.StatusConflict {
				t.Errorf("%d: %d %s", n, got.status, got.body)
			}
			if got := h.post(t, remote.PublishPath, token, own); got.status != http.StatusOK || !strings.Contains(got.body, `"unchanged":2`) {
				t.Errorf("the same again: %d %s", got.status, got.body)
			}
			own.Sequence, own.Memories = 2, nil
			if got := h.post(t, remote.PublishPath, token, own); got.status != http.StatusConflict || got.error(t).Code != "stale_sequence" {
				t.Errorf("an older one: %d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	h.checkSound(t, last...)
	h.wantIdle(t)
}
