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

// fakeHub has the digests of some paths, and notes which memories each request to publish has.
type fakeHub struct {
	*testing.T
	digests  map[string]string
	requests []string
}

func (h *fakeHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if r.Method != "POST" || r.Header.Get("Authorization") != "Bearer memctl_secret" || r.ContentLength <= 0 ||
		r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("User-Agent") != "memctl/1.2.3" ||
		q.Get("repository") != "github.com/acme/x" || q.Get("commit") != "c" || q.Get("sequence") != "7" {
		h.Errorf("%s %s, %d bytes: %v", r.Method, r.URL, r.ContentLength, r.Header)
	}
	var got struct{ Memories []File } // and nothing else
	unpacked, err := gzip.NewReader(r.Body)
	if err == nil {
		d := json.NewDecoder(unpacked)
		d.DisallowUnknownFields()
		err = d.Decode(&got)
	}
	if err != nil {
		h.Error(err)
	}
	var names []string
	var done Published
	for _, f := range got.Memories {
		switch {
		case f.Memory != nil:
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(f.Path, "decisions/"), ".json"))
			h.digests[f.Path] = f.Digest
			done.Added++
		case h.digests[f.Path] != f.Digest:
			done.Missing = append(done.Missing, f.Path)
		default:
			done.Unchanged++
		}
	}
	h.requests = append(h.requests, strings.TrimPrefix(r.URL.Path, PublishPath)+q.Get("tree")+fmt.Sprint(names))
	if len(done.Missing) > 0 {
		done = Published{Missing: done.Missing}
	}
	_ = json.NewEncoder(w).Encode(done)
}

// The hub gets the digests, and then the memories that it lacks: with the digests, or in parts if they are many.
func TestPublishSendsWhatTheHubLacks(t *testing.T) {
	large := `"` + strings.Repeat("<x>", MaxPart/8) + `"`
	for name, tt := range map[string]struct {
		has      string // paths whose digests the hub has
		text     string
		secret   string // a path with a secret
		retired  string
		want     string
		added    int
		progress string
	}{
		"all":              {text: `"a <b> & c"`, want: "T[] T[a b c]", added: 3},
		"one":              {has: "a c", text: `"b"`, want: "T[] T[b]", added: 1},
		"none":             {has: "a b c", want: "T[]"},
		"many":             {text: large, want: "T[] /part[a b] /part[c] T[]", added: 3, progress: "[2 of 3 3 of 3]"},
		"a secret":         {has: "a c", secret: "b", text: `"b"`, want: "T[] [b]", added: 1},
		"many with secret": {secret: "b", text: large, want: "T[] /part[a b] /part[c] []", added: 3, progress: "[2 of 3 3 of 3]"},
		"a retired one":    {has: "a c", retired: "b", want: "T[] T[]"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &fakeHub{T: t, digests: map[string]string{}}
			p := Publication{Repository: "github.com/acme/x", Commit: "c", Sequence: 7, Tree: "T"}
			at := func(name string) string { return "decisions/" + name + ".json" }
			for _, name := range []string{"a", "b", "c"} {
				p.Memories = append(p.Memories, File{Path: at(name), Digest: "digest of " + name})
				if strings.Contains(tt.has, name) {
					h.digests[at(name)] = "digest of " + name
				}
			}
			read := func(_ context.Context, paths []string) (files []File, err error) {
				for _, path := range paths {
					name := strings.TrimSuffix(strings.TrimPrefix(path, "decisions/"), ".json")
					f := File{Path: path, Digest: "digest of " + name, Memory: json.RawMessage(tt.text)}
					if name == tt.secret {
						f.Digest = "digest without the secret"
					}
					if name != tt.retired {
						files = append(files, f)
					}
				}
				return files, nil
			}
			var progress []string
			c, _ := client(t, h.ServeHTTP)
			done, err := c.Publish(t.Context(), p, read, func(done, total int) {
				progress = append(progress, fmt.Sprintf("%d of %d", done, total))
			})
			if err != nil || done.Added != tt.added || strings.Join(h.requests, " ") != tt.want {
				t.Errorf("%+v, %v: sent %v, want %s", done, err, h.requests, tt.want)
			}
			if tt.progress != "" && fmt.Sprint(progress) != tt.progress {
				t.Errorf("progress %v", progress)
			}
			if tt.retired == "" && done.Added+done.Unchanged != 3 {
				t.Errorf("%+v", done)
			}
		})
	}
}

// A file that cannot be read ends a publication before a memory is sent.
func TestPublishStopsBeforeItSends(t *testing.T) {
	h := &fakeHub{T: t, digests: map[string]string{}}
	c, _ := client(t, h.ServeHTTP)
	p := Publication{Repository: "github.com/acme/x", Commit: "c", Sequence: 7}
	p.Memories = []File{{Path: "decisions/a.json", Digest: "a"}}
	wrong := errors.New("wrong")
	_, err := c.Publish(t.Context(), p, func(context.Context, []string) ([]File, error) { return nil, wrong }, nil)
	if !errors.Is(err, wrong) || len(h.requests) != 1 {
		t.Errorf("%v after %v", err, h.requests)
	}
}

// A hub that always lacks a memory, and one that does not know the request, end a publication.
func TestPublishEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		says   string
	}{
		"always lacking": {200, `{"missing": ["decisions/a.json"]}`, "came in between each time"},
		"an older hub":   {404, `{"error": {"code": "not_found", "message": "there is nothing at this path"}}`, "the hub is older than this memctl"},
	} {
		requests := 0
		c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		})
		read := func(context.Context, []string) ([]File, error) {
			return []File{{Path: "decisions/a.json", Digest: "a"}}, nil
		}
		_, err := c.Publish(t.Context(), Publication{Memories: []File{{Path: "decisions/a.json", Digest: "a"}}}, read, nil)
		if err == nil || !strings.Contains(err.Error(), tt.says) || requests > publishRounds {
			t.Errorf("%s: %v after %d requests", name, err, requests)
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
			if _, err := c.Publish(context.Background(), Publication{}, nil, nil); err == nil || requests != tt.times {
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
		if result, err := c.Publish(context.Background(), Publication{}, nil, nil); err != nil || result.Unchanged != 5 {
			t.Errorf("%+v, %v", result, err)
		}
	})
	t.Run("who stops waits no longer", func(t *testing.T) {
		c, _ := client(t, busy(503, ""))
		ctx, cancel := context.WithCancel(context.Background())
		c.wait = func(ctx context.Context, d time.Duration) error { cancel(); return wait(ctx, d) }
		if _, err := c.Publish(ctx, Publication{}, nil, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestErrorsOfAHub(t *testing.T) {
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error": {"code": "invalid_memory", "message": "too\u001b[31m long", "path": "decisions/x.json", "field": "title"}}`)
	})
	_, err := c.Publish(context.Background(), Publication{}, nil, nil)
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
		_, err := tt.client.Publish(context.Background(), Publication{}, nil, nil)
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
