package web_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/features/web"
	"memctl/files"
	"memctl/schemas"
)

// parcel makes a project with the sample store and returns its memory root.
func parcel(t *testing.T) files.Root {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(t.TempDir(), "none"))
	stores := filepath.Join("..", "..", "testdata", "stores")
	path := filepath.Join(t.TempDir(), "parcelhub", ".claude", "memory")
	for from, to := range map[string]string{"parcel": path, "observations": filepath.Join(path, "observations")} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(stores, from))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.Init(path); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(path)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// site is a running server as its person sees it.
type site struct {
	*testing.T
	*http.Client
	root   files.Root
	origin string
	base   string // with the origin
	first  string // the first address
	ended  chan error
	stop   context.CancelFunc
}

// serve starts a server and lets the client in.
func serve(t *testing.T, root files.Root, idle time.Duration, port ...int) *site {
	t.Helper()
	server, err := web.Listen(web.Options{
		Root: root, Port: cmp.Or(port...), Version: "test", Idle: idle, Places: files.Places{Flag: root.Path},
		Warn: func(message string) { t.Errorf("the server warns: %s", message) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &site{T: t, root: root, first: server.Address(), ended: make(chan error, 1), stop: cancel}
	go func() { s.ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	})
	jar, _ := cookiejar.New(nil) // cannot fail
	s.Client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	s.origin, _, _ = strings.Cut(s.first, "/?")
	if idle < time.Minute {
		return s
	}
	welcome := s.get(s.first)
	folder := regexp.MustCompile(`url=(/\w+)/`).FindStringSubmatch(welcome)
	if folder == nil {
		t.Fatalf("the first page leads nowhere: %s", welcome)
	}
	s.base = s.origin + folder[1]
	return s
}

// end ends the server, as Ctrl-C does.
func (s *site) end() {
	s.Helper()
	s.stop()
	err := <-s.ended
	s.ended <- err // for the end of the test
}

// send sends a request and returns the status and the page.
func (s *site) send(method, address, body string, change func(*http.Request)) (int, string, http.Header) {
	s.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if method != http.MethodGet {
		r.Header.Set("Origin", s.origin)
	}
	if change != nil {
		change(r)
	}
	answer, err := s.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatal(err)
	}
	return answer.StatusCode, string(page), answer.Header
}

// get returns a page that exists.
func (s *site) get(address string) string {
	s.Helper()
	status, page, _ := s.send(http.MethodGet, address, "", nil)
	if status != http.StatusOK {
		s.Fatalf("GET %s: %d\n%s", address, status, page)
	}
	return page
}

// field returns the value of a hidden field of a page.
func (s *site) field(page, name string) string {
	s.Helper()
	match := regexp.MustCompile(`name="` + name + `" value="(\w*)"`).FindStringSubmatch(page)
	if match == nil {
		s.Fatalf("no field %s on the page:\n%s", name, page)
	}
	return match[1]
}

// jwt is the page of a memory of the sample store.
const jwt = "/memories/decisions/jwt-key-rotation"

func TestOnlyThePersonWhoHasTheAddressGetsIn(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	stranger := &site{T: t, Client: &http.Client{}, origin: s.origin}
	tests := map[string]struct {
		site    *site
		method  string
		address string
		change  func(*http.Request)
		status  int
	}{
		"the person": {s, "GET", s.base + "/memories", nil, 200},
		"by another name of loopback": {s, "GET", s.base + "/memories", func(r *http.Request) {
			r.Host = strings.Replace(r.URL.Host, "127.0.0.1", "[::1]", 1)
			for _, cookie := range s.Jar.Cookies(r.URL) {
				r.AddCookie(cookie)
			}
		}, 200},
		"without a cookie":              {stranger, "GET", s.base + "/memories", nil, 403},
		"without a cookie for a script": {stranger, "GET", s.base + "/static/app.js", nil, 403},
		"without a cookie for events":   {stranger, "GET", s.base + "/events", nil, 403},
		"with another cookie":           {stranger, "GET", s.base + "/memories", func(r *http.Request) { r.Header.Set("Cookie", "memctl-"+r.URL.Port()+"=x") }, 403},
		"with another token":            {stranger, "GET", s.origin + "/?token=" + strings.Repeat("A", 26), nil, 403},
		"with an empty token":           {stranger, "GET", s.origin + "/?token=", nil, 403},
		"without the folder":            {s, "GET", s.origin + "/memories", nil, 403},
		"by a name that leads here":     {s, "GET", s.base + "/memories", func(r *http.Request) { r.Host = "rebound.example" }, 421},
		"by this name on another port":  {s, "GET", s.base + "/memories", func(r *http.Request) { r.Host = "127.0.0.1:1" }, 421},
		"from another site":             {s, "GET", s.base + "/memories", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"from nowhere":                  {s, "GET", s.base + "/memories", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"the token from another site":   {stranger, "GET", s.first, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a change from another site":    {s, "POST", s.base + jwt + "/retire", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a change without an origin":    {s, "POST", s.base + jwt + "/retire", func(r *http.Request) { r.Header.Del("Origin") }, 403},
		"a change without a form":       {s, "POST", s.base + jwt + "/retire", nil, 403},
		"another method":                {s, "DELETE", s.base + jwt, nil, 405},
		"a page that does not exist":    {s, "GET", s.base + "/memories/decisions/none-such", nil, 404},
		"a path that leads out":         {s, "GET", s.base + "/memories/..%2f..%2f/etc%2fpasswd", nil, 404},
		"an odd path":                   {s, "GET", s.base + "/static/..%2f..%2fdoc.go", nil, 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.site.T = t
			status, page, header := tt.site.send(tt.method, tt.address, "", tt.change)
			if status != tt.status {
				t.Errorf("status %d, want %d:\n%s", status, tt.status, page)
			}
			for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
				if header.Get(name) == "" {
					t.Errorf("no header %s", name)
				}
			}
			if tt.status != 200 && strings.Contains(page, "JWT") {
				t.Errorf("the page says something of a memory:\n%s", page)
			}
		})
	}
}

func TestTheCookieBelongsToTheFolderAndIsStrict(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	_, _, header := s.send("GET", s.first, "", nil)
	cookie := header.Get("Set-Cookie")
	folder := strings.TrimPrefix(s.base, s.origin)
	for _, want := range []string{"Path=" + folder + "/", "HttpOnly", "SameSite=Strict"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q, want %s", cookie, want)
		}
	}
}

// A token of one form does not change anything by another one.
func TestAFormTokenIsForOneForm(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	edit := s.get(s.base + jwt + "/edit")
	values := url.Values{"form_token": {s.field(edit, "form_token")}, "hash": {s.field(edit, "hash")}, "reason": {"none"}}
	for path, want := range map[string]int{jwt + "/retire": 403, "/settings": 403, "/new": 403, "/memories/decisions/gke-autopilot/edit": 403} {
		if status, _, _ := s.send("POST", s.base+path, values.Encode(), nil); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
}

func TestLargeFormsAreRefused(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	large := "form_token=" + strings.Repeat("x", 10<<20)
	for _, path := range []string{"/new", jwt + "/edit", "/settings"} {
		r, _ := http.NewRequest("POST", s.base+path, strings.NewReader(large))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", s.origin)
		answer, err := s.Do(r)
		if err != nil { // the server may close the connection while the client still sends
			continue
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: status %d, want 413", path, answer.StatusCode)
		}
	}
}

func TestFormsOfManyFieldsAreRefused(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	for _, path := range []string{"/new", jwt + "/edit", "/settings"} {
		if status, body, _ := s.send("POST", s.base+path, strings.Repeat("a=b&", 60_000), nil); status != 400 ||
			!strings.Contains(body, "the form cannot be read") {
			t.Errorf("%s: status %d, want 400", path, status)
		}
	}
}

// Names of fields, too, are shown with codes for what does not show.
func TestNamesOfFieldsAreShown(t *testing.T) {
	root := parcel(t)
	const memory = `{"title": "Kafka", "content": {"a\u202eb": "c", "list": [{"d\u2066e": ["f"]}]},
		"changes": [{"date": "2026-01-01T00:00:00Z", "summary": "s", "field": "g\u200bh", "old_value": "i"}]}`
	if err := os.WriteFile(root.Join("decisions/hidden.json"), []byte(memory), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	page := s.get(s.base + "/memories/decisions/hidden")
	for _, code := range []string{"U+202E", "U+2066", "U+200B"} {
		if !strings.Contains(page, code) {
			t.Errorf("%s is not shown", code)
		}
	}
	if strings.ContainsAny(page, "\u202e\u2066\u200b") {
		t.Error("the page has an invisible character")
	}
}

func TestAThousandRequestsAtOnce(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	s.Transport = &http.Transport{MaxConnsPerHost: 100}
	paths := []string{"/static/app.js", "/memories?q=kafka", "/static/style.css", jwt, "/static/icon.svg", "/static/none", "/static/keys.js", "/nothing",
		"/static/live.js", "/static/load.js", "/static/search.js", "/static/forms.js", "/static/why.js", "/static/checks.js", "/static/app.js", "/static/style.css"}
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() {
			answer, err := s.Get(s.base + paths[i%len(paths)])
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			if answer.StatusCode >= 500 {
				t.Errorf("%s: %s", answer.Request.URL.Path, answer.Status)
			}
		})
	}
	all.Wait()
}

// An open page counts as use, however long its person types.
func TestAnOpenPageKeepsTheServer(t *testing.T) {
	const idle = 200 * time.Millisecond
	root := parcel(t)
	s := serve(t, root, idle)
	start := time.Now()
	welcome := s.get(s.first)
	folder := regexp.MustCompile(`url=(/\w+)/`).FindStringSubmatch(welcome)
	answer, err := s.Get(s.origin + folder[1] + "/events?since=0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); time.Since(start) < 4*idle; {
		if !lines.Scan() {
			t.Fatalf("the server has ended after %s: %v", time.Since(start), lines.Err())
		}
	}
	answer.Body.Close()
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	s.ended <- nil // for the end of the test
}

func TestTheServerEndsWithoutRequests(t *testing.T) {
	s := serve(t, parcel(t), time.Millisecond)
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	s.ended <- nil // for the end of the test
}

func TestPagesComeInTheLanguageOfTheBrowser(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	for header, want := range map[string]string{"": "Memories", "ko-KR,ko;q=0.9,en;q=0.5": "기억", "fr, en;q=0.4, ko;q=0.2": "Memories", "de": "Memories", "en;q=0.1,ko": "기억"} {
		_, page, _ := s.send("GET", s.base+"/memories", "", func(r *http.Request) { r.Header.Set("Accept-Language", header) })
		if !strings.Contains(page, "<h1>"+want+"</h1>") {
			t.Errorf("%q: no heading %s", header, want)
		}
	}
}

func TestAChangedSettingIsCheckedAndSaved(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	page := s.get(s.base + "/settings")
	const key, other = "v.retrieval.max_inject", "v.retrieval.user_share"
	values := url.Values{"form_token": {s.field(page, "form_token")}, key: {"99"}, "was.retrieval.max_inject": {s.field(page, "was.retrieval.max_inject")}}
	if status, page, _ := s.send("POST", s.base+"/settings", values.Encode(), nil); status != 422 || !strings.Contains(page, "99") {
		t.Errorf("99: status %d", status)
	}
	values.Set(key, "7")
	values.Set(other, "1")
	values.Set("was.retrieval.user_share", s.field(page, "was.retrieval.user_share"))
	status, page, header := s.send("POST", s.base+"/settings", values.Encode(), nil)
	if status != 303 {
		t.Errorf("7: status %d\n%s", status, page)
	}
	config, _, err := s.root.Config()
	if err != nil || config.Retrieval.MaxInject != 7 || config.Retrieval.UserShare != 1 {
		t.Errorf("max_inject %d, want 7; user_share %d, want 1 (%v)", config.Retrieval.MaxInject, config.Retrieval.UserShare, err)
	}
	values.Set(key, "9") // it was another number when the page was shown
	if status, page, _ := s.send("POST", s.base+"/settings", values.Encode(), nil); status != 409 || !strings.Contains(page, "it says 7 now") {
		t.Errorf("after a change: status %d, want 409\n%s", status, page)
	}
	s.undo(s.get(s.origin+header.Get("Location")), 303)
	if config, _, _ := s.root.Config(); config.Retrieval.MaxInject == 7 {
		t.Errorf("undone, max_inject is still %d", config.Retrieval.MaxInject)
	}
}

// A new root's settings are the defaults. Those of v5 are one choice, and a reset does not lead to them.
func TestANewRootHasTheDefaultSettings(t *testing.T) {
	root := parcel(t)
	if err := os.WriteFile(root.Join(files.ConfigName), schemas.InitialConfig, 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, root, time.Hour)
	const differs, isNew, isV5 = "Different from a new project", `name="was.preset" value="new"`, `name="was.preset" value="v5"`
	s.says("/settings", "!"+differs, isNew, "Threshold of decision", "Only with triage.strategy keywords. It has no effect here.")
	for _, step := range []struct {
		name, value, strategy string
		says                  []string
	}{
		{"preset", "v5", schemas.TitleTags, []string{differs, isV5, "behaves as with claude-memory v5", "3 settings have changed"}},
		{"unset", "retrieval.match_strategy", schemas.Hybrid, []string{differs, "!" + isV5,
			"Memories are now ranked by their full text. A new project has the same."}},
		{"preset", "new", schemas.Hybrid, []string{"!" + differs, isNew, "2 settings have changed"}},
		{"preset", "v4", schemas.Hybrid, []string{"!" + differs}},
	} {
		values, shown := url.Values{step.name: {step.value}}, s.get(s.base+"/settings")
		for _, name := range []string{"form_token", "was.retrieval.max_inject", "was.retrieval.match_strategy", "was.triage.strategy"} {
			values.Set(name, s.field(shown, name))
		}
		status, page, header := s.send("POST", s.base+"/settings", values.Encode(), nil)
		if status != 303 {
			t.Fatalf("%s %s: status %d\n%s", step.name, step.value, status, page)
		}
		at, _, _ := strings.Cut(header.Get("Location"), "#")
		s.says(strings.TrimPrefix(at, strings.TrimPrefix(s.base, s.origin)), step.says...)
		if config, _, err := s.root.Config(); err != nil || config.Retrieval.MatchStrategy != step.strategy {
			t.Errorf("%s %s: %s (%v)", step.name, step.value, config.Retrieval.MatchStrategy, err)
		}
	}
}

func TestATranscriptIsScored(t *testing.T) {
	s := serve(t, parcel(t), time.Hour)
	page := s.get(s.base + "/triage")
	var body bytes.Buffer
	fmt.Fprintf(&body, "--b\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\n%s\r\n", s.field(page, "form_token"))
	fmt.Fprintf(&body, "--b\r\nContent-Disposition: form-data; name=\"transcript\"; filename=\"s.jsonl\"\r\n\r\n%s\r\n--b--\r\n",
		`{"type":"assistant","message":{"content":[{"type":"text","text":"We decided on Kafka because of ordering.\nWe chose Avro because of schemas.\nWe picked it over JSON."}]}}`)
	status, answer, _ := s.send("POST", s.base+"/triage", body.String(), func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=b") })
	if status != 200 || !strings.Contains(answer, "asks for a memory") {
		t.Errorf("status %d:\n%s", status, answer)
	}
	s.write("memory-config.json", `{"triage": {"strategy": "moments"}}`)
	moments := strings.Replace(body.String(), "{\"type", `{"type":"user","message":{"content":"fix it"}}`+"\n"+
		`{"type":"user","message":{"content":"No, never write to the <i>replica</i>, since a job reads it."}}`+"\n{\"type", 1)
	_, answer, _ = s.send("POST", s.base+"/triage", moments, func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=b") })
	if !strings.Contains(answer, "turn 2 · 2.00") || !strings.Contains(answer, "never write to the &lt;i&gt;") {
		t.Errorf("the points of turns are not shown:\n%s", answer)
	}
}
