package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memctl/features/meaning/modeltest"
	"memctl/retrieve"
)

// meantPair is a memory and a question on it in other words.
type meantPair struct{ id, title, text, question string }

func meantPairs(t *testing.T) (pairs []meantPair) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/meaning/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n")[1:] {
		lines := strings.Split(block, "\n")
		if len(lines) != 3 {
			t.Fatalf("a pair has %d lines: %q", len(lines), block)
		}
		pairs = append(pairs, meantPair{fmt.Sprintf("pair-%02d", i), lines[0], lines[1], lines[2]})
	}
	return pairs
}

// testModel has learned from the glossary and from notes that have none of the pairs.
func testModel(t *testing.T) *modeltest.Model {
	t.Helper()
	model, err := trained()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

var trained = sync.OnceValues(func() (*modeltest.Model, error) {
	var lines []string
	for _, name := range []string{"meaning/glossary.txt", "quality/shop/notes.jsonl", "quality/podcast/notes.jsonl"} {
		data, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			return nil, err
		}
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	return modeltest.Train(lines), nil
})

// newMeantUser is a home folder of someone whose configuration names a server.
func newMeantUser(t *testing.T, endpoint string) home {
	h := newHome(t)
	h.run("", "", "init", "--user")
	h.meant("endpoint", endpoint)
	h.meant("model", "small")
	h.meant("budget_ms", "5000")
	return h
}

func (h home) meant(setting, value string) {
	h.t.Helper()
	h.run("", "", "config", "set", "meaning."+setting, value, "--user")
}

// save writes the memories of pairs as files.
func (h home) save(project string, pairs []meantPair) {
	for _, p := range pairs {
		h.write(project+"/.claude/memory/preferences/"+p.id+".json", strings.NewReplacer("VALUE", p.text, `"keys"`, `"zz"`, `"topic": "`+p.id, `"topic": "zz`).Replace(preferenceFile(p.id, p.title)))
	}
	h.write(project+"/.claude/memory/memory-config.json", `{"retrieval": {"match_strategy": "hybrid"}}`)
}

// found returns the ids of the first five that a search finds.
func (h home) found(project, question string) (ids []string) {
	h.t.Helper()
	var list []retrieve.IndexEntry
	if err := json.Unmarshal([]byte(h.run(project, "", "search", "--json", "--limit", "5", question)), &list); err != nil {
		h.t.Fatal(err)
	}
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

// recall is how many of the pairs a search finds among the first five.
func (h home) recall(project string, pairs []meantPair) (n int) {
	for _, p := range pairs {
		if slices.Contains(h.found(project, p.question), p.id) {
			n++
		}
	}
	return n
}

// With a model, questions find memories that have none of their words, nearly as often as the
// model itself puts them among its first five: the words of others keep some of the places.
func TestMeaningFindsWhatHasNoWordInCommon(t *testing.T) {
	t.Parallel()
	pairs, m := meantPairs(t), testModel(t)
	server := httptest.NewServer(m)
	defer server.Close()
	h := newMeantUser(t, server.URL)
	h.save("project", pairs)
	all := pairs
	pairs = pairs[:len(pairs)/soak(2, 1)] // the questions; all have memories
	cosine := func(a, b string) (sum float64) {
		v, w := m.Vector(a), m.Vector(b)
		for i := range v {
			sum += v[i] * w[i]
		}
		return sum
	}
	own := 0
	for _, p := range pairs {
		nearer := 0
		for _, other := range all {
			if cosine(p.question, other.title+"\n"+other.text) > cosine(p.question, p.title+"\n"+p.text) {
				nearer++
			}
		}
		if nearer < 5 {
			own++
		}
	}
	h.run("project", "", "reindex")
	with := h.recall("project", pairs)
	if out := h.run("project", "", "explain", meantPrompt); !strings.Contains(out, "near the prompt in meaning (cosine 0.") {
		t.Errorf("explain says %s", out)
	}
	if out, _, _ := h.try("project", "doctor"); !strings.Contains(out, "dimension 256, a sentence in") {
		t.Errorf("doctor says %s", out)
	}
	h.meant("endpoint", "")
	without := h.recall("project", pairs)
	t.Logf("of %d pairs: by words %d, by the model alone %d, by both %d", len(pairs), without, own, with)
	if without > len(pairs)/20 || own < len(pairs)/2 || with < own-own/8 {
		t.Errorf("of %d pairs search finds %d by words alone, the model %d, both %d", len(pairs), without, own, with)
	}
}

// meantPrompt is a prompt that finds a memory by its meaning alone.
const meantPrompt = "How do we handle rate limiting?"

// prompt returns what the prompt hook gives for a prompt, in a session of its own.
func (h home) prompt(project, prompt string) string {
	h.t.Helper()
	event, err := json.Marshal(map[string]string{"session_id": h.t.Name() + strconv.Itoa(int(asked.Add(1))),
		"hook_event_name": "UserPromptSubmit", "prompt": prompt})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.run(project, string(event), "hook", "user-prompt-submit")
}

// asked counts the prompts of these tests.
var asked atomic.Int64

// A server that fails in whatever way leaves a prompt with the answer that words give. After
// three failures in a row it is not asked again.
func TestPromptsSurviveTheServer(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a redirect was followed")
	}))
	defer elsewhere.Close()
	vector := func(n int, last string) string {
		return `{"data": [{"index": 0, "embedding": [` + strings.Repeat("0.5,", n-1) + last + `]}]}`
	}
	say := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }
	}
	for name, handler := range map[string]http.HandlerFunc{
		"never answers": func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done() // the client is gone
		},
		"stops in the middle": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"data": [{"index": 0, "embedding": [0.5,`)
			w.(http.Flusher).Flush()
			<-r.Context().Done() // the client is gone
		},
		"fails":                 func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"says garbage":          say("<html>hello</html>"),
		"has another dimension": say(vector(17, "1")),
		"says NaN":              say(vector(256, "NaN")),
		"says null":             say(vector(256, "null")),
		"says no number":        say(vector(256, `"a"`)),
		"says too much":         say(vector(256, "1e999")),
		"says zero":             say(strings.ReplaceAll(vector(256, "0"), "0.5", "0")),
		"sends no vector":       say(`{"data": []}`),
		"sends two":             say(`{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`),
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"sends 100 MB": func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			var asked atomic.Int64
			m := testModel(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1); broken.Load() {
					body, _ := io.ReadAll(r.Body) // net/http notices then that a client is gone
					r.Body = io.NopCloser(bytes.NewReader(body))
					handler(w, r)
					return
				}
				m.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			h := newMeantUser(t, server.URL)
			h.save("project", meantPairs(t)[:20])
			h.run("project", "", "reindex")
			both := h.prompt("project", meantPrompt)
			h.meant("endpoint", "")
			words := h.prompt("project", meantPrompt)
			if words != "" || !strings.Contains(both, "pair-00") {
				t.Fatalf("with the model %s, without %s", both, words)
			}
			h.meant("endpoint", server.URL)
			h.meant("budget_ms", "50")
			broken.Store(true)
			for range 3 {
				if got := h.prompt("project", meantPrompt); got != words {
					t.Errorf("got %s, by words it is %s", got, words)
				}
			}
			asked.Store(0)
			if got := h.prompt("project", meantPrompt); name != "has another dimension" && (got != words || asked.Load() > 0) {
				t.Errorf("after three failures: asked %d times, got %s", asked.Load(), got)
			}
		})
	}
}

// A prompt gets the vector of a server that is a little slow. If the server is too slow, or nothing listens at its
// port, words alone answer, and no request is left behind.
func TestPromptsDoNotWaitForTheServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		delay  time.Duration
		budget string
		closed bool
		found  bool
	}{
		"10 ms":         {delay: 10 * time.Millisecond, budget: "5000", found: true},
		"1 s":           {delay: time.Second, budget: "500"},
		"30 s":          {delay: 30 * time.Second, budget: "500"},
		"a closed port": {closed: true, budget: "5000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var slow atomic.Bool
			var pending sync.WaitGroup
			var begun, late atomic.Int64
			m := testModel(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				pending.Add(1)
				defer pending.Done()
				begun.Add(1)
				body, _ := io.ReadAll(r.Body) // net/http notices then that a client is gone
				r.Body = io.NopCloser(bytes.NewReader(body))
				if slow.Load() {
					select {
					case <-time.After(tt.delay):
						late.Add(1)
					case <-r.Context().Done():
						return
					}
				}
				m.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			h := newMeantUser(t, server.URL)
			h.save("project", meantPairs(t)[:20])
			h.run("project", "", "reindex")
			h.meant("budget_ms", tt.budget)
			slow.Store(true)
			if tt.closed {
				server.Close()
			}
			begun.Store(0)
			got := h.prompt("project", meantPrompt)
			if strings.Contains(got, "pair-00") != tt.found || !tt.found && got != "" {
				t.Errorf("got %q", got)
			}
			pending.Wait()
			if (begun.Load() == 0) != tt.closed || tt.delay > 10*time.Second && late.Load() > 0 {
				t.Errorf("%d requests were begun, and %d still waited when the server answered", begun.Load(), late.Load())
			}
		})
	}
}

// A reranker orders the first results of a search again. One that fails leaves their order as it was.
func TestRerank(t *testing.T) {
	t.Parallel()
	m := testModel(t)
	var broken atomic.Bool
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if broken.Load() {
			fmt.Fprint(w, `{"results": [{"index": 99, "relevance_score": 1}]}`)
			return
		}
		m.ServeHTTP(w, r)
	}))
	defer server.Close()
	embedder := httptest.NewServer(m)
	defer embedder.Close()
	h := newMeantUser(t, embedder.URL)
	pairs := []meantPair{
		{id: "by-words", title: "Limits of the cart: limits, limits", text: "A basket holds at most a hundred items"},
		{id: "by-meaning", title: "Throttling policy", text: "Limits: a client that sends too many requests per minute is refused with 429"},
	}
	h.save("project", pairs)
	h.run("project", "", "reindex")
	const question = "cart limits quota"
	expect := func(when string, requests int64, want ...string) {
		t.Helper()
		if got := h.found("project", question); !slices.Equal(got, want) || asked.Swap(0) != requests {
			t.Errorf("%s the order is %q, want %q after %d requests", when, got, want, requests)
		}
	}
	expect("without a reranker", 0, "by-words", "by-meaning")
	h.meant("rerank", server.URL)
	expect("with a reranker", 1, "by-meaning", "by-words")
	broken.Store(true)
	expect("with a broken one", 1, "by-words", "by-meaning")
}

// sentTexts is a server that notes the texts it was sent, and may hold a request back.
type sentTexts struct {
	model *modeltest.Model
	mutex sync.Mutex
	texts []string
	// hold is asked about the texts and the model of a request; the answer waits for the channel, or
	// for the client to go.
	hold func(name string, texts []string) <-chan struct{}
}

func (s *sentTexts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked struct {
		Model string
		Input []string
	}
	_ = json.Unmarshal(body, &asked)
	s.mutex.Lock()
	var wait <-chan struct{}
	if s.hold != nil {
		wait = s.hold(asked.Model, asked.Input)
	}
	s.texts = append(s.texts, asked.Input...)
	s.mutex.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-r.Context().Done():
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.model.ServeHTTP(w, r)
}

// of counts how often texts were sent that begin with a title.
func (s *sentTexts) of(title string) (n int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, text := range s.texts {
		if strings.HasPrefix(text, title+"\n") {
			n++
		}
	}
	return n
}

// A process that is killed while it makes vectors loses the batch that it waits for, and nothing
// else; the next one goes on there. Two at once send no text twice.
func TestVectorsAreMadeOnce(t *testing.T) {
	t.Parallel()
	pairs := meantPairs(t)[:40]
	at := make(chan struct{}, 1)
	batches := 0
	s := &sentTexts{model: testModel(t)}
	never := make(chan struct{})
	s.hold = func(_ string, texts []string) <-chan struct{} {
		if len(texts) < 16 || strings.HasPrefix(texts[0], "Restart the server") { // the pairs of the trial
			return nil
		}
		if batches++; batches != 2 {
			return nil
		}
		at <- struct{}{}
		return never
	}
	server := httptest.NewServer(s)
	defer server.Close()
	h := newMeantUser(t, server.URL)
	h.save("project", pairs)
	first := h.command("project", "", "reindex")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-at // the first batch is in the index, the second one is sent
	h.run("project", preference("Another one", "text"), "create", "--category", "preference", "--target", "another", "--input", "-")
	if n := s.of("Another one"); n > 0 {
		t.Errorf("a second process sent the new memory %d times while the first one works", n)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	h.run("project", sessionStart, "hook", "session-start")
	h.run("project", preference("One more", "text"), "create", "--category", "preference", "--target", "one-more", "--input", "-")
	sent := 0
	for _, p := range pairs {
		if n := s.of(p.title); n == 1 {
			sent++
		} else if n != 2 {
			t.Errorf("%q was sent %d times", p.title, n)
		}
	}
	if sent != len(pairs)-16 || s.of("Another one") != 1 || s.of("One more") != 1 {
		t.Errorf("%d of %d memories were sent once, the new ones %d and %d times", sent, len(pairs), s.of("Another one"), s.of("One more"))
	}
	if !slices.Contains(h.found("project", pairs[0].question), pairs[0].id) {
		t.Error("the first memory is not found by its meaning")
	}
}

// With another model the vectors of the one before are used until the new ones are complete.
func TestTheOldModelServesUntilTheNewOneIsReady(t *testing.T) {
	t.Parallel()
	pairs := meantPairs(t)[:20]
	s := &sentTexts{model: testModel(t)}
	server := httptest.NewServer(s)
	defer server.Close()
	h := newMeantUser(t, server.URL)
	h.save("project", pairs)
	h.run("project", "", "reindex")
	at := make(chan struct{}, 1)
	never := make(chan struct{})
	asked := []string{} // models, of single texts
	s.hold = func(name string, texts []string) <-chan struct{} {
		if len(texts) == 1 {
			asked = append(asked, name)
		}
		if name == "larger" && len(texts) == 4 { // the second batch
			at <- struct{}{}
			return never
		}
		return nil
	}
	h.meant("model", "larger")
	start := h.command("project", sessionStart, "hook", "session-start")
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	<-at
	if !strings.Contains(h.prompt("project", meantPrompt), "pair-00") {
		t.Error("the memory is not found while the new vectors are made")
	}
	if last := asked[len(asked)-1]; last != "small" {
		t.Errorf("the prompt was compared by the model %q", last)
	}
	_ = start.Process.Kill()
	_ = start.Wait()
	s.hold = func(name string, texts []string) <-chan struct{} {
		asked = append(asked, name)
		return nil
	}
	h.run("project", "", "reindex")
	asked = nil
	if !strings.Contains(h.prompt("project", meantPrompt), "pair-00") || !slices.Equal(asked, []string{"larger"}) {
		t.Errorf("with the new vectors the models %q were asked", asked)
	}
}

// Nothing private leaves the machine, neither in memories nor in prompts, whatever a file says. A project
// names no server, and a server is asked only once the user has confirmed it.
func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	s := &sentTexts{model: testModel(t)}
	server := httptest.NewServer(s)
	defer server.Close()
	h := newMeantUser(t, server.URL)
	pairs := meantPairs(t)[:5]
	pairs[0].text = privateNote
	h.save("project", pairs)
	h.run("project", "", "reindex")
	h.prompt("project", meantPrompt+" "+privateNote)
	sent := strings.Join(s.texts, "\n")
	if !strings.Contains(sent, "Keys rotate") || strings.Contains(sent, "10.0.0.7") || strings.Contains(sent, "ghp_") {
		t.Errorf("sent %s", sent)
	}
	s.texts = nil
	h.meant("endpoint", "")
	h.write("project/.claude/memory/memory-config.json", `{"retrieval": {"match_strategy": "hybrid"}, "meaning": {"endpoint": "`+
		server.URL+`", "model": "m"}}`)
	h.prompt("project", meantPrompt)
	h.run("project", "", "reindex")
	if out, _, _ := h.try("project", "doctor"); len(s.texts) > 0 || !strings.Contains(out, "meaning in the project's configuration is ignored") {
		t.Errorf("sent %q for a project; doctor says %s", s.texts, out)
	}
	for address, problem := range map[string]string{
		"http://models.example": "only https", "https://models.example": "is not confirmed", "localhost:1": "expected the address",
		"https://me:pw@models.example": "takes no user",
	} {
		h.meant("endpoint", address) // which confirms it
		h.run("", "", "config", "confirm", "meaning.endpoint", "--withdraw")
		if _, messages, _ := h.try("project", "search", "rate limiting"); !strings.Contains(messages, problem) {
			t.Errorf("%s: search says %s", address, messages)
		}
	}
}

// Observations are found by their meaning too.
func TestMeaningFindsObservations(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(testModel(t))
	defer server.Close()
	h := newMeantUser(t, server.URL)
	h.save("project", meantPairs(t)[:1])
	var lines strings.Builder
	for i, command := range []string{"pg_dump nightly restore", "make lint", "git squash", "resize photo", "cat invoice"} {
		fmt.Fprintf(&lines, `{"event_id":"00000000-0000-4000-8000-00000000000%d","event_type":"tool_observation","session_id":"s",`+
			`"timestamp":"2026-11-19T15:02:40.010Z","payload":{"tool_name":"Bash","tool_input":{"command":%q},"tool_output":"",`+
			`"duration_ms":1,"success":true,"metadata":{"command":%q,"exitCode":0}}}`+"\n", i, command, command)
	}
	h.write("project/.claude/memory/observations/s.jsonl", lines.String())
	h.run("project", "", "reindex")
	if out := h.run("project", "", "search", "database backup copies"); !strings.Contains(out, "pg_dump") || strings.Contains(out, "squash") {
		t.Errorf("search says %s", out)
	}
}
