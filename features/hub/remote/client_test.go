package remote

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"memctl/text"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// client returns a client of a server that answers with handler. It waits for nothing
// between two tries.
func client(t *testing.T, handler http.HandlerFunc) (*Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return clientAt(t, server.URL), server
}

func clientAt(t *testing.T, address string) *Client {
	t.Helper()
	u, err := ParseAddress(address, false)
	if err != nil {
		t.Fatal(err)
	}
	c := NewClient(u, "memctl_secret", "1.2.3")
	c.wait = func(context.Context, time.Duration) error { return nil }
	return c
}

func TestPublishSendsTheSetOnce(t *testing.T) {
	want := Publication{Repository: "github.com/acme/x", Commit: strings.Repeat("a", 40), Sequence: 7,
		Memories: []File{{Path: "decisions/jwt.json", Memory: json.RawMessage(`{"title":"a <b> & c"}`)}}}
	requests := 0
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.Method != "POST" || r.URL.Path != PublishPath || r.Header.Get("Authorization") != "Bearer memctl_secret" ||
			r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("User-Agent") != "memctl/1.2.3" || r.ContentLength <= 0 {
			t.Errorf("%s %s, %d bytes: %v", r.Method, r.URL, r.ContentLength, r.Header)
		}
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		var got Publication
		data, err := io.ReadAll(unpacked)
		if err := errors.Join(err, json.Unmarshal(data, &got)); err != nil {
			t.Error(err)
		}
		if len(got.Memories) != 1 || string(got.Memories[0].Memory) != string(want.Memories[0].Memory) || got.Sequence != 7 {
			t.Errorf("got %+v", got)
		}
		fmt.Fprint(w, `{"repository": "github.com/acme/x", "added": 1}`)
	})
	var bytes, total int
	result, err := c.Publish(context.Background(), want, PublishProgress{Sent: func(s, t int) { bytes, total = s, t }})
	if err != nil || result.Added != 1 || requests != 1 || bytes != total || total == 0 {
		t.Errorf("%+v, %v after %d requests; %d of %d bytes", result, err, requests, bytes, total)
	}
}

// A hub that takes long is asked until it has ended.
func TestPublishFollowsTheHub(t *testing.T) {
	running := `200 {"id": "A B", "state": "running", "percent": 40}`
	failed := `200 {"id": "A B", "state": "failed", "status": 409, "error": {"code": "stale_sequence", "message": "old\u001b"}}`
	for name, tt := range map[string]struct {
		answers   []string // to questions, the last one again
		added     int
		questions int
		posts     int
		err       string
		follow    bool // the error says that the hub goes on
	}{
		"done":              {answers: []string{running, `503 {}`, `200 {"state": "done", "published": {"added": 3}}`}, added: 3, questions: 3, posts: 1},
		"refused":           {answers: []string{running, failed}, questions: 2, posts: 1, err: "old"},
		"unknown":           {answers: []string{`404 {"error": {"code": "not_found", "message": "no such"}}`}, questions: 1, posts: 1, err: "the hub goes on with it, and its end is not known: no such", follow: true},
		"another token":     {answers: []string{`401 {"error": {"code": "unauthorized", "message": "no token"}}`}, questions: 1, posts: 1, err: "no token", follow: true},
		"says nothing":      {answers: []string{`200 {"state": "done"}`}, questions: 1, posts: 1, err: "neither"},
		"the hub was ended": {answers: []string{`200 {"state": "failed", "status": 503, "error": {"code": "busy", "message": "gone"}}`}, questions: publishTries, posts: publishTries, err: "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			questions, posts := 0, 0
			c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == "POST" {
					posts++
					w.WriteHeader(http.StatusAccepted)
					fmt.Fprint(w, `{"id": "A B", "state": "running", "percent": 0}`)
					return
				}
				if r.URL.Path != PublicationPath || r.URL.Query().Get("id") != "A B" || r.Header.Get("Authorization") == "" {
					t.Errorf("asked for %s", r.URL)
				}
				status, body, _ := strings.Cut(tt.answers[min(questions, len(tt.answers)-1)], " ")
				questions++
				code, _ := strconv.Atoi(status)
				w.WriteHeader(code)
				fmt.Fprint(w, body)
			})
			var percents []int
			result, err := c.Publish(t.Context(), Publication{}, PublishProgress{Written: func(result, _ int) { percents = append(percents, result) }})
			if questions != tt.questions || posts != tt.posts || result.Added != tt.added || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%+v, %v after %d questions and %d posts", result, err, questions, posts)
			}
			if errors.As(err, new(*Accepted)) != tt.follow {
				t.Errorf("%v: does the hub go on?", err)
			}
			if err != nil && strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%q", err)
			}
			if name == "done" && fmt.Sprint(percents) != "[0 40 40 100]" {
				t.Errorf("progress %v", percents)
			}
		})
	}
}

// Who stops to follow learns that the hub goes on.
func TestPublishIsStoppedWhileItFollows(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, `{"id": "A", "state": "running"}`)
	})
	ctx, stop := context.WithCancel(t.Context())
	c.wait = func(ctx context.Context, _ time.Duration) error { stop(); return ctx.Err() }
	_, err := c.Publish(ctx, Publication{}, PublishProgress{})
	if going := new(Accepted); !errors.As(err, &going) || going.ID != "A" || !errors.Is(err, context.Canceled) || going.Hint() == "" {
		t.Errorf("got %v", err)
	}
}

// A large publication is sent as digests, then with the memories that the hub lacks; an older hub gets all.
func TestPublishSendsWhatTheHubLacks(t *testing.T) {
	long := json.RawMessage(`"` + strings.Repeat("x", worthAsking) + `"`)
	p := Publication{Repository: "github.com/acme/x", Memories: []File{{Path: "decisions/a.json", Memory: long}, {Path: "decisions/b.json", Memory: long}}}
	for name, tt := range map[string]struct {
		digests string // digests of this path
		old     bool   // it knows no digests
		want    string // memories of each request
	}{
		"none":         {want: "[] [a b]"},
		"one":          {digests: "decisions/a.json", want: "[] [b]"},
		"an older hub": {old: true, want: "[] [a b]"},
	} {
		var batches []string
		c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
			unpacked, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			var got Publication
			if err := json.NewDecoder(unpacked).Decode(&got); err != nil {
				t.Error(err)
			}
			names, missing := []string{}, []string{}
			for _, file := range got.Memories {
				switch {
				case file.Memory != nil:
					names = append(names, strings.TrimSuffix(strings.TrimPrefix(file.Path, "decisions/"), ".json"))
				case len(file.SHA256) != 64:
					t.Errorf("digest %q", file.SHA256)
				case file.Path != tt.digests:
					missing = append(missing, file.Path)
				}
			}
			batches = append(batches, fmt.Sprint(names))
			if tt.old && len(names) == 0 {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error": {"code": "bad_request", "message": "this hub knows no such field", "field": "sha256"}}`)
				return
			}
			_ = json.NewEncoder(w).Encode(Published{Missing: missing, Added: len(names)})
		})
		result, err := c.Publish(context.Background(), p, PublishProgress{})
		if err != nil || len(result.Missing) > 0 || strings.Join(batches, " ") != tt.want {
			t.Errorf("%s: %+v, %v: sent %v, want %s", name, result, err, batches, tt.want)
		}
	}
}

func TestPublishTriesAgain(t *testing.T) {
	busy := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "2")
			http.Error(w, body, code)
		}
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		times  int
	}{
		"a busy hub":          {busy(503, `{"error": {"code": "busy", "message": "no connection is free"}}`), publishTries},
		"a person's limit":    {busy(429, `{"error": {"code": "busy", "message": "too many requests of yours at once"}}`), publishTries},
		"a proxy without hub": {busy(502, "<html>Bad Gateway</html>"), publishTries},
		"a broken connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, publishTries},
		"half an answer": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "{")
		}, publishTries},
		"a refusal":            {busy(409, `{"error": {"code": "stale_sequence", "message": "9 stands"}}`), 1},
		"an error of the hub":  {busy(500, `{"error": {"code": "internal", "message": "internal error"}}`), 1},
		"an answer of another": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>") }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			requests := 0
			c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { requests++; tt.answer(w, r) })
			var waited []time.Duration
			c.wait = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
			if _, err := c.Publish(context.Background(), Publication{}, PublishProgress{}); err == nil || requests != tt.times {
				t.Errorf("%v after %d requests, want %d", err, requests, tt.times)
			}
			if want := []time.Duration{2 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}; strings.Contains(name, "busy") && !slices.Equal(waited, want) {
				t.Errorf("waited %v, want %v", waited, want)
			}
		})
	}
	t.Run("it answers at last", func(t *testing.T) {
		requests := 0
		c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests < 3 {
				busy(503, `{"error": {"code": "busy", "message": "busy"}}`)(w, r)
				return
			}
			fmt.Fprint(w, `{"unchanged": 5}`)
		})
		if result, err := c.Publish(context.Background(), Publication{}, PublishProgress{}); err != nil || result.Unchanged != 5 {
			t.Errorf("%+v, %v", result, err)
		}
	})
	t.Run("who stops waits no longer", func(t *testing.T) {
		c, _ := client(t, busy(503, ""))
		ctx, cancel := context.WithCancel(context.Background())
		c.wait = func(ctx context.Context, d time.Duration) error { cancel(); return wait(ctx, d) }
		if _, err := c.Publish(ctx, Publication{}, PublishProgress{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestErrorsOfAHub(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error": {"code": "invalid_memory", "message": "too\u001b[31m long", "path": "decisions/x.json", "field": "title"}}`)
	})
	_, err := c.Publish(context.Background(), Publication{}, PublishProgress{})
	refused := new(Error)
	if !errors.As(err, &refused) || refused.Status != 400 || refused.Code != "invalid_memory" || err.Error() != "decisions/x.json: title: too[31m long" {
		t.Errorf("%v, %+v", err, refused)
	}
}

func TestATokenGoesToOneAddress(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was followed with %v", r.Method, r.URL, r.Header)
	}))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", strings.Replace(other.URL, "http://", "http://dev:hunter2@", 1)+"/x?y=hunter2")
			w.WriteHeader(code)
		})
		_, err := c.Search(context.Background(), Query{Query: "x"})
		if err == nil || !strings.Contains(err.Error(), "it redirects to "+other.URL+"/x") || strings.Contains(err.Error(), "hunter2") || !strings.Contains(text.Hint(err), "redirect") {
			t.Errorf("%d: %v (%s)", code, err, text.Hint(err))
		}
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for name, tt := range map[string]struct {
		answer  http.HandlerFunc
		message string
	}{
		"a page":           {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>welcome") }, "its answer is not a hub's"},
		"another type":     {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"results": 7}`) }, "its answer is not a hub's"},
		"not found":        {http.NotFound, "it answers 404 Not Found"},
		"an odd status":    {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(299) }, "it answers 299"},
		"without end":      {endless, "its answer has more than 16 MiB"},
		"an endless error": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); endless(w, r) }, "it answers 500"},
		"a packed bomb":    {bomb, "its answer has more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			c, server := client(t, tt.answer)
			_, err := c.Search(context.Background(), Query{Query: "x"})
			host := strings.TrimPrefix(server.URL, "http://")
			if err == nil || !strings.Contains(err.Error(), "the hub "+host+": "+tt.message) {
				t.Errorf("%v, want %q", err, tt.message)
			}
		})
	}
}

func endless(w http.ResponseWriter, _ *http.Request) {
	page := make([]byte, 1<<20)
	for range 64 {
		if _, err := w.Write(page); err != nil {
			return
		}
	}
}

func bomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	defer packed.Close()
	for range 64 {
		packed.Write(make([]byte, 1<<20))
	}
}

// An answer takes little more memory than its bytes, whatever it says.
func TestAnswersTakeLittleMemory(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		ask    func(*Client) error
		fails  bool
	}{
		"results": {`{"results": [{}` + strings.Repeat(",{}", 15<<20/3) + "]}",
			func(c *Client) error { _, err := c.Search(t.Context(), Query{Query: "x"}); return err }, true},
		"tags": {`{"results": [{"tags": [""` + strings.Repeat(`,""`, 15<<20/3) + "]}]}",
			func(c *Client) error { _, err := c.Search(t.Context(), Query{Query: "x"}); return err }, true},
		"details": {`{"details": [{}` + strings.Repeat(",{}", 15<<20/3) + "]}",
			func(c *Client) error { _, err := c.Get(t.Context(), []string{"x"}); return err }, true},
		"repositories": {`{"repositories": [{}` + strings.Repeat(",{}", 15<<20/3) + "]}",
			func(c *Client) error { _, err := c.Repositories(t.Context()); return err }, true},
		"a list":   {`[]`, func(c *Client) error { _, err := c.Repositories(t.Context()); return err }, true},
		"a number": {`{"repositories": 1}`, func(c *Client) error { _, err := c.Repositories(t.Context()); return err }, true},
		"none":     {`{"repositories": null}`, func(c *Client) error { _, err := c.Repositories(t.Context()); return err }, false},
	} {
		c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, tt.answer) })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := tt.ask(c)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; (err != nil) != tt.fails || took > 300 {
			t.Errorf("%s: %v, %d MB in all", name, err, took)
		}
	}
}

func TestGetWantsEveryMemory(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"details": [{"id": "a"}]}`) })
	if _, err := c.Get(context.Background(), []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), "asked for 2 memories, got 1") {
		t.Error(err)
	}
}

func TestAQuestionIsBounded(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { t.Error("it was sent") })
	if _, err := c.Search(context.Background(), Query{Query: strings.Repeat("x", MaxRequest)}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
}

func TestTLSIsExplained(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	other := strings.Replace(secure.URL, "127.0.0.1", "localhost", 1)
	trusting := clientAt(t, other)
	trusting.http.Transport = secure.Client().Transport
	for name, tt := range map[string]struct {
		client *Client
		hint   string
	}{
		"an unknown authority": {clientAt(t, secure.URL), "SSL_CERT_FILE"},
		"another name":         {trusting, "is for another name"},
		"no TLS":               {clientAt(t, strings.Replace(plain.URL, "http:", "https:", 1)), "nothing speaks TLS there"},
	} {
		requests := 0
		tt.client.wait = func(context.Context, time.Duration) error { requests++; return nil }
		_, err := tt.client.Publish(context.Background(), Publication{}, PublishProgress{})
		if err == nil || !strings.Contains(text.Hint(err), tt.hint) || requests > 0 {
			t.Errorf("%s: %v (%s), tried again %d times", name, err, text.Hint(err), requests)
		}
	}
}

func TestAskAnswersInTime(t *testing.T) {
	t.Setenv("MEMCTL_HUB_TOKEN", "memctl_x")
	silent, err := net.Listen("tcp", "127.0.0.1:0") // it accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	address := &url.URL{Scheme: "http", Host: silent.Addr().String()}
	answer := <-Ask(context.Background(), address, 50*time.Millisecond, "1", Query{Query: "x", Limit: 3})
	if answer.Err == nil || !strings.Contains(answer.Err.Error(), "did not answer in time") {
		t.Error(answer.Err)
	}

	_, server := client(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"results": [{"id": "1"}, {"id": "2"}, {"id": "3"}, {"id": "4"}]}`)
	})
	address, _ = ParseAddress(server.URL, false)
	answer = <-Ask(context.Background(), address, time.Minute, "1", Query{Query: "x", Limit: 3})
	if answer.Err != nil || len(answer.Results) != 3 {
		t.Errorf("%d results of 3, %v", len(answer.Results), answer.Err)
	}
}

func TestParseAddress(t *testing.T) {
	for address, want := range map[string]error{
		"https://hub.acme.example":          nil,
		"https://hub.acme.example:8443/hub": nil,
		"http://localhost:8080":             nil,
		"http://127.0.0.1:8080":             nil,
		"http://[::1]:8080":                 nil,
		"http://hub.acme.example":           ErrPlainHTTP,
		"http://localhost.acme.example":     ErrPlainHTTP,
		"http://10.0.0.1":                   ErrPlainHTTP,
		"https://dev:hunter2@hub":           errUser,
		"ftp://hub":                         errAddress,
		"hub.acme.example":                  errAddress,
		"https://hub?x=hunter2":             errAddress,
		"https://":                          errAddress,
		"https://hunter2@%":                 errAddress,
		"":                                  errAddress,
	} {
		if _, err := ParseAddress(address, false); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
	if _, err := ParseAddress("http://hub.acme.example", true); err != nil {
		t.Error(err)
	}
}
