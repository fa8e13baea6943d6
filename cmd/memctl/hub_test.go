package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/files/systemtest"
)

// wireHub is a server that speaks as a hub does. It has the last publication and finds the
// memories whose title has the whole query.
type wireHub struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	last     remote.Publication
	refuse   *remote.Error // the answer to everything, nil for none
	publish  time.Time
	signIns  []remote.SignIn
}

func newWireHub(t *testing.T) *wireHub {
	t.Helper()
	h := &wireHub{publish: time.Date(2026, 11, 20, 14, 3, 0, 0, time.UTC)}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *wireHub) asked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.requests)
}

func (h *wireHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, r.Method+" "+r.URL.Path)
	switch {
	case r.URL.Path == remote.SignInPath:
		json.NewEncoder(w).Encode(remote.SignIns{SignIns: h.signIns})
	case r.Header.Get("Authorization") != "Bearer memctl_token":
		h.fail(w, remote.Error{Status: 401, Code: "unauthorized", Message: "no such token"})
	case h.refuse != nil:
		h.fail(w, *h.refuse)
	case r.URL.Path == remote.TreePath:
		json.NewEncoder(w).Encode(remote.Published{Unknown: true})
	case r.URL.Path == remote.PublishPath:
		address := r.URL.Query()
		sequence, err := strconv.ParseInt(address.Get("sequence"), 10, 64)
		p := remote.Publication{Repository: address.Get("repository"), Commit: address.Get("commit"), Sequence: sequence}
		unpacked, notPacked := gzip.NewReader(r.Body)
		if err = errors.Join(err, notPacked); err == nil {
			err = json.NewDecoder(unpacked).Decode(&p)
		}
		if err != nil {
			h.fail(w, remote.Error{Status: 400, Code: "bad_request", Message: err.Error()})
			return
		}
		done := remote.Published{Repository: p.Repository, Added: len(p.Memories)}
		for _, f := range p.Memories {
			if f.Memory == nil { // it has none by its digest
				done = remote.Published{Missing: append(done.Missing, f.Path)}
			}
		}
		if len(done.Missing) == 0 {
			h.last = p
		}
		json.NewEncoder(w).Encode(done)
	case r.URL.Path == remote.SearchPath:
		var q remote.Query
		json.NewDecoder(r.Body).Decode(&q)
		found := remote.Results{Results: []remote.Hit{}}
		for _, d := range h.details() {
			if strings.Contains(d.Title, q.Query) {
				found.Results = append(found.Results, remote.Hit{Row: d.Row, Strength: 1, Evidence: 1})
			}
		}
		json.NewEncoder(w).Encode(found)
	case r.URL.Path == remote.GetPath:
		var s remote.Selection
		json.NewDecoder(r.Body).Decode(&s)
		got := remote.Details{}
		for _, id := range s.IDs {
			i := slices.IndexFunc(h.details(), func(d remote.Detail) bool { return d.ID == id })
			if i < 0 {
				h.fail(w, remote.Error{Status: 404, Code: "not_found", Message: "there is no memory " + id})
				return
			}
			got.Details = append(got.Details, h.details()[i])
		}
		json.NewEncoder(w).Encode(got)
	case r.URL.Path == remote.RepositoriesPath:
		json.NewEncoder(w).Encode(remote.Repositories{Repositories: []remote.Repository{{Memories: len(h.last.Memories)}}})
	default:
		http.NotFound(w, r)
	}
}

func (h *wireHub) fail(w http.ResponseWriter, e remote.Error) {
	w.Header().Set("Retry-After", "0")
	w.WriteHeader(e.Status)
	json.NewEncoder(w).Encode(remote.Failure{Error: e})
}

func (h *wireHub) details() (list []remote.Detail) {
	for _, f := range h.last.Memories {
		var m struct{ Category, Title string }
		json.Unmarshal(f.Memory, &m)
		list = append(list, remote.Detail{Memory: f.Memory, Row: remote.Row{
			ID: h.last.Repository + ":" + strings.TrimSuffix(f.Path, ".json"), Path: f.Path, Category: m.Category,
			Title: m.Title, Status: "active", Tokens: 12,
			Provenance: remote.Provenance{Repository: h.last.Repository, Commit: h.last.Commit, PublishedAt: h.publish},
		}})
	}
	return list
}

// clone is a git repository with memories, in a home folder.
func (h home) clone(name, remoteURL string) {
	h.t.Helper()
	h.git(name, "init", "-q", "-b", "main")
	h.git(name, "remote", "add", "origin", remoteURL)
}

func (h home) git(project string, args ...string) string {
	h.t.Helper()
	if _, err := exec.LookPath("git"); err != nil && systemtest.IsWine() {
		h.t.Skip("Wine: no git")
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@example.com"}, args...)...)
	cmd.Dir, cmd.Env = filepath.Join(h.dir, project), h.env
	if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (h home) commit(project string) string {
	h.t.Helper()
	h.git(project, "add", "-A")
	h.git(project, "commit", "-qm", "memories")
	return h.git(project, "rev-parse", "HEAD")
}

// try runs memctl and returns what it prints and its exit status.
func (h home) try(project string, args ...string) (stdout, stderr string, code int) {
	h.t.Helper()
	cmd := h.command(project, "", args...)
	var out, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	return out.String(), messages.String(), cmd.ProcessState.ExitCode()
}

// newHubUser is a home folder of someone with a token for a hub that their configuration
// names.
func newHubUser(t *testing.T, url string) home {
	h := newHome(t)
	h.env = append(h.env, "MEMCTL_HUB_TOKEN=memctl_token", "GIT_CONFIG_NOSYSTEM=1")
	h.run("", "", "init", "--user")
	h.run("", "", "config", "set", "hub.url", url, "--user")
	return h
}

func (h home) write(name, content string) {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content),
		0o644)); err != nil {
		h.t.Fatal(err)
	}
}

// preferenceFile is a memory file whose content has VALUE in one place.
func preferenceFile(id, title string) string {
	return fmt.Sprintf(`{"schema_version": "1.0", "category": "preference", "id": %q, "title": "%s", "record_status": "active",
		"created_at": "2026-10-01T08:00:00Z", "updated_at": "2026-10-01T08:00:00Z", "tags": ["keys"], "related_files": [], "confidence": 0.9,
		"content": {"topic": %q, "value": "VALUE", "reason": "r", "strength": "soft", "examples": {"prefer": [], "avoid": []}}, "changes": [], "times_updated": 0}`, id, title, id)
}

const privateNote = "Keys rotate. <private>the vault is at 10.0.0.7</private> Token: " +
	"ghp_0123456789abcdefghijABCDEFGHIJ012345"

func TestPublishSendsWhatIsCommitted(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.clone("pay", "https://dev:hunter2@GitHub.com/acme/payments.git")
	h.create("pay", "tabs")
	h.create("pay", "old")
	h.run("pay", "", "retire", "old")
	h.run("", preference("Title of mine", "text"), "create", "--user", "--category", "preference", "--target", "mine",
		"--input", "-")
	h.write("pay/.claude/memory/preferences/keys.json", strings.Replace(preferenceFile("keys", "Keys"), "VALUE",
		privateNote, 1))
	h.write("pay/.claude/memory/observations/x.jsonl", "{}\n")
	commit := h.commit("pay")
	h.write("pay/.claude/memory/preferences/tabs.json", "not committed, and broken")
	h.write("pay/.claude/memory/preferences/new.json", preferenceFile("new", "New"))

	out, messages, code := h.try("pay", "hub", "publish", "--sequence", "7")
	if code != 0 || !strings.Contains(out, "published github.com/acme/payments at "+commit[:10]+": 2 added") {
		t.Fatalf("%d: %s%s", code, out, messages)
	}
	if !strings.Contains(messages, "removed before sending: 1 private section, 1 secret") ||
		strings.Contains(out+messages, "hunter2") {
		t.Errorf("messages: %s", messages)
	}
	var paths, all []string
	for _, f := range hub.last.Memories {
		paths, all = append(paths, f.Path), append(all, string(f.Memory))
	}
	if want := []string{"preferences/keys.json", "preferences/tabs.json"}; !slices.Equal(paths,
		want) || hub.last.Commit != commit || hub.last.Sequence != 7 {
		t.Errorf("sent %v of %s, sequence %d", paths, hub.last.Commit, hub.last.Sequence)
	}
	sent := strings.Join(all, "\n")
	for _, secret := range []string{"10.0.0.7", "ghp_0123456789", "not committed", "Title of mine", "hunter2"} {
		if strings.Contains(sent, secret) {
			t.Errorf("%q was sent", secret)
		}
	}
	if !strings.Contains(sent, "[PRIVATE]") {
		t.Errorf("sent %s", sent)
	}

	// An earlier commit, under another name, and nothing but words.
	h.run("pay", "", "retire", "keys")
	h.commit("pay")
	before := hub.asked()
	out, _, _ = h.try("pay", "hub", "publish", "--sequence", "8", "--commit", commit, "--repository",
		"git.acme.example:8443/a/b", "--dry-run", "--json")
	var dry struct {
		Repository, Commit, Hub string
		Memories                int
		DryRun                  bool `json:"dry_run"`
	}
	decode(t, out, &dry)
	if dry.Repository != "git.acme.example:8443/a/b" || dry.Commit != commit || dry.Memories != 2 || !dry.DryRun ||
		dry.Hub != hub.URL || hub.asked() != before {
		t.Errorf("%+v after %d requests", dry, hub.asked())
	}
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	wire := newWireHub(t)
	h := newHubUser(t, wire.URL)
	h.clone("pay", "git@github.com:acme/payments.git")
	h.create("pay", "tabs")
	h.commit("pay")
	h.clone("local", "/srv/git/x.git")
	h.create("local", "tabs")
	h.commit("local")
	h.clone("broken", "git@github.com:acme/broken.git")
	h.create("broken", "tabs")
	h.write("broken/.claude/memory/decisions/bad.json", `{"title": ""}`)
	h.write("broken/.claude/memory/decisions/worse.json", "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n")
	if err := os.Symlink("bad.json", filepath.Join(h.dir, "broken/.claude/memory/decisions/link.json")); err != nil {
		t.Fatal(err)
	}
	h.commit("broken")
	h.clone("empty", "git@github.com:acme/empty.git")
	h.run("empty", "", "init")
	h.create("plain", "tabs")

	for name, tt := range map[string]struct {
		project string
		args    []string
		code    int
		says    []string
	}{
		"no sequence": {"pay", nil, 2, []string{"--sequence", "GITHUB_RUN_NUMBER", "CI_PIPELINE_IID"}},
		"sequence 0":  {"pay", []string{"--sequence", "0"}, 2, []string{"--sequence"}},
		"no number":   {"pay", []string{"--sequence", ""}, 2, []string{"-sequence"}},
		"an argument": {"pay", []string{"--sequence", "1", "x"}, 2, []string{`"x"`}},
		"clear text": {"pay", []string{"--sequence", "1", "--hub", "http://hub.acme.example"}, 2,
			[]string{"clear text", "--plain-http"}},
		"a password": {"pay", []string{"--sequence", "1", "--hub", "https://dev:hunter2@hub.acme.example"}, 2,
			[]string{"no password"}},
		"no name": {"pay", []string{"--sequence", "1", "--repository", "payments"}, 2,
			[]string{"github.com/acme/payments"}},
		"no remote": {"local", []string{"--sequence", "1"}, 1, []string{"no name", "--repository"}},
		"no commit": {"pay", []string{"--sequence", "1", "--commit", "0123456789"}, 1,
			[]string{`no commit "0123456789"`}},
		"a flag for commit": {"pay", []string{"--sequence", "1", "--commit", "--output=x"}, 1, []string{"no commit"}},
		"nothing committed": {"empty", []string{"--sequence", "1"}, 1, []string{"no commits"}},
		"no git":            {"plain", []string{"--sequence", "1"}, 1, []string{"no git repository", "git init"}},
		"broken files": {"broken", []string{"--sequence", "1"}, 1, []string{"decisions/bad.json: ",
			"decisions/worse.json: ", "decisions/link.json: ",
			"3 files in commit", "no memory was sent", "memctl validate"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, messages, code := h.try(tt.project, append([]string{"hub", "publish"}, tt.args...)...)
			if code != tt.code || out != "" || strings.Contains(messages, "hunter2") {
				t.Errorf("exit status %d, want %d: %s%s", code, tt.code, out, messages)
			}
			for _, says := range tt.says {
				if !strings.Contains(messages, says) {
					t.Errorf("no %q in: %s", says, messages)
				}
			}
		})
	}
	if !slices.Equal(wire.requests, []string{"POST " + remote.TreePath}) { // of the broken files, which it may have
		t.Errorf("the hub was asked: %v", wire.requests)
	}

	for _, tt := range []struct {
		refuse remote.Error
		says   []string
		times  int
	}{
		{remote.Error{Status: 409, Code: "stale_sequence", Message: "sequence 9 is published"},
			[]string{"sequence 9 is published", "later run"}, 1},
		{remote.Error{Status: 403, Code: "forbidden", Message: "you may not publish it"},
			[]string{"may not publish", "memctl hub grant"}, 1},
		{remote.Error{Status: 400, Code: "invalid_memory", Message: "too long", Path: "preferences/tabs.json",
			Field: "title"}, []string{"preferences/tabs.json: title: too long"}, 1},
		{remote.Error{Status: 503, Code: "busy", Message: "no connection is free"}, []string{"no connection is free",
			"try again"}, 6},
	} {
		before := wire.asked()
		wire.refuse = &tt.refuse
		out, messages, code := h.try("pay", "hub", "publish", "--sequence", "1")
		if code != 1 || out != "" || wire.asked()-before != tt.times {
			t.Errorf("%s: %d after %d requests: %s%s", tt.refuse.Code, code, wire.asked()-before, out, messages)
		}
		for _, says := range tt.says {
			if !strings.Contains(messages, says) {
				t.Errorf("%s: no %q in %s", tt.refuse.Code, says, messages)
			}
		}
	}
}

// The last commit of a shallow clone has all that is published. A clone that lacks files is refused.
func TestPublishFromAClone(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.clone("pay", "git@github.com:acme/payments.git")
	h.env = append(h.env, "GIT_AUTHOR_DATE=2041-02-01T10:00:00Z", "GIT_COMMITTER_DATE=2041-02-01T10:00:00Z")
	h.run("pay", "", "init")
	h.run("pay", "", "config", "set", "git.history", "true")
	commit := ""
	for _, title := range []string{"Keys", "Keys and locks"} {
		h.write("pay/.claude/memory/preferences/keys.json", preferenceFile("keys", title))
		commit = h.commit("pay")
	}
	h.git("pay", "config", "uploadpack.allowFilter", "true")
	times := map[string]string{}
	for name, args := range map[string][]string{"whole": nil, "shallow": {"--depth", "1"},
		"filtered": {"--filter=blob:none", "--no-checkout"}} {
		h.git("", append([]string{"clone", "-q", "file://" + filepath.ToSlash(h.dir) + "/pay", name}, args...)...)
		h.write(name+"/.claude/memory/preferences/.keep", "") // what is not checked out needs a root
		out, messages, code := h.try(name, "hub", "publish", "--sequence", "7", "--repository",
			"github.com/acme/payments")
		if name == "filtered" {
			if code != 1 || !strings.Contains(messages, "this clone does not have") ||
				!strings.Contains(messages, "without --filter") {
				t.Errorf("%s: %d: %s%s", name, code, out, messages)
			}
			continue
		}
		if code != 0 || hub.last.Commit != commit || len(hub.last.Memories) != 1 {
			t.Fatalf("%s: %d: %s%s: %+v", name, code, out, messages, hub.last)
		}
		var m struct {
			UpdatedAt string `json:"updated_at"`
		}
		decode(t, string(hub.last.Memories[0].Memory), &m)
		times[name] = m.UpdatedAt
	}
	// With git.history, times come from commits that a shallow clone does not have.
	if times["whole"] != "2041-02-01T10:00:00Z" || strings.HasPrefix(times["shallow"], "2041") {
		t.Errorf("updated %v", times)
	}
}

// What a person wants to see before there is a hub needs no address, no number and no token.
func TestDryRunWithoutAHub(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.clone("pay", "git@github.com:acme/payments.git")
	h.create("pay", "tabs")
	h.write("pay/.claude/memory/observations/x.jsonl", "{}\n")
	h.write("pay/.claude/memory/candidates/tabs.json", preferenceFile("draft", "A draft"))
	h.create("other", "elsewhere")
	h.run("", "", "init", "--user")
	h.run("", "", "config", "set", "sources.roots", `["`+filepath.ToSlash(h.dir)+`/other"]`, "--user")
	h.commit("pay")
	if out, messages, code := h.try("pay", "hub", "publish", "--dry-run"); code != 0 ||
		!strings.Contains(out, "github.com/acme/payments") || !strings.Contains(out, "1 memory") {
		t.Errorf("%d: %s%s", code, out, messages)
	}
	if _, messages, code := h.try("pay", "hub", "publish", "--dry-run", "--sequence", "0"); code != 2 ||
		!strings.Contains(messages, "--sequence") {
		t.Errorf("%d: %s", code, messages)
	}
}

// A home folder may be a git repository with a remote.
func TestOwnMemoriesAreNotPublished(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.run("", preference("Title of mine", "text"), "create", "--user", "--category", "preference", "--target", "mine",
		"--input", "-")
	h.clone("", "git@github.com:dev/dotfiles.git")
	h.git("", "add", ".claude/memory/preferences")
	h.git("", "commit", "-qm", "mine")
	elsewhere := h
	elsewhere.env = append(slices.Clone(h.env), "HOME="+t.TempDir(), "MEMCTL_USER_ROOT="+
		filepath.Join(h.dir, ".claude/memory"))
	for name, tt := range map[string]struct {
		home
		args []string
	}{
		"at home":       {h, nil},
		"by --root":     {h, []string{"--root", filepath.Join(h.dir, ".claude/memory")}},
		"by a variable": {elsewhere, []string{"--root", h.dir}},
	} {
		out, messages, code := tt.try("somewhere", append([]string{"hub", "publish", "--sequence", "1", "--hub",
			hub.URL}, tt.args...)...)
		if name == "at home" {
			out, messages, code = tt.try("", "hub", "publish", "--sequence", "1", "--hub", hub.URL)
		}
		if code != 1 || out != "" || !strings.Contains(messages, "your own memories") {
			t.Errorf("%s: %d: %s%s", name, code, out, messages)
		}
	}
	if hub.asked() > 0 {
		t.Errorf("it was asked: %v", hub.requests)
	}
}

func TestSearchOfAHub(t *testing.T) {
	t.Parallel()
	wire := newWireHub(t)
	h := newHubUser(t, wire.URL)
	h.create("shop", "tabs")
	wire.last = remote.Publication{Repository: "github.com/acme/payments", Commit: strings.Repeat("1a", 20),
		Memories: []remote.File{
			{Path: "preferences/far.json", Memory: json.RawMessage(preferenceFile("far",
				`Title of far\u202e\u001b[31m`))},
		}}

	out, messages, code := h.try("shop", "search", "--hub", "Title of")
	near, far := strings.Index(out, "preferences/tabs.json"),
		strings.Index(out, "github.com/acme/payments:preferences/far")
	if code != 0 || messages != "" || near < 0 || far < near || !strings.Contains(out, "commit 1a1a1a1a1a, published "+
		"2026-11-20 14:03") || strings.ContainsAny(out, "\u202e\x1b") {
		t.Errorf("%d: %q%s", code, out, messages)
	}
	out, _, _ = h.try("shop", "search", "--hub", "--json", "Title of")
	var found struct {
		Local []struct{ ID string }
		Hub   struct {
			URL     string
			Results []remote.Hit
			Error   string
		}
	}
	decode(t, out, &found)
	if len(found.Local) != 1 || len(found.Hub.Results) != 1 || found.Hub.Results[0].Commit == "" ||
		found.Hub.Results[0].PublishedAt != wire.publish || found.Hub.URL != wire.URL {
		t.Errorf("found %+v", found)
	}

	// In a folder without memories the hub answers alone.
	if out, messages, code := h.try("nothing", "search", "--hub", "Title of far"); code != 0 ||
		!strings.Contains(out, ":preferences/far") || messages != "" {
		t.Errorf("%d: %s%s", code, out, messages)
	}

	out, messages, code = h.try("shop", "show", "--hub", "github.com/acme/payments:preferences/far")
	if code != 0 || !strings.Contains(out, "[PREFERENCE] Title of far") ||
		!strings.Contains(out, "commit 1a1a1a1a1a, published") || strings.ContainsAny(out, "\u202e\x1b") {
		t.Errorf("%d: %q%s", code, out, messages)
	}
	out, _, _ = h.try("shop", "show", "--hub", "--json", "github.com/acme/payments:preferences/far")
	var details []remote.Detail
	if decode(t, out, &details); len(details) != 1 || details[0].Commit == "" {
		t.Errorf("%s", out)
	}
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"show", "--hub", "github.com/acme/payments:preferences/none"}, 1, "there is no memory"},
		{[]string{"show", "--hub", "tabs"}, 2, "expected an id such as"},
		{[]string{"show", "github.com/acme/payments:preferences/far"}, 1, "memctl show --hub"},
		{[]string{"search", "--hub", "--all", "x"}, 2, "--all"},
		{[]string{"search", "--hub", "--tag", "x", "x"}, 2, "--tag"},
		{[]string{"search", "--hub", "--category", "decision", "--category", "runbook", "x"}, 2, "one --category"},
		{[]string{"search", "--hub"}, 2, "query"},
	} {
		if out, messages, code := h.try("shop", tt.args...); code != tt.code || !strings.Contains(messages, tt.says) ||
			out != "" {
			t.Errorf("%v: %d: %s%s", tt.args, code, out, messages)
		}
	}
	if out, _, code := h.try("shop", "doctor", "--hub", "--json"); !strings.Contains(out, wire.URL+" answers, and "+
		"shows you 1 repository") {
		t.Errorf("doctor: %d: %s", code, out)
	}
}

// Whatever is wrong with the hub, the project's results stay.
func TestSearchWithoutTheHub(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.create("shop", "tabs")
	h.run("", "", "config", "set", "hub.timeout_ms", "300", "--user")
	silent := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-silent }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(silent) })
	away := httptest.NewServer(nil)
	away.Close()
	for name, tt := range map[string]struct {
		url, env, says string
	}{
		"slow":        {slow.URL, "", "did not answer in time"},
		"away":        {away.URL, "", "see that the address is right"},
		"not a token": {hub.URL, "MEMCTL_HUB_TOKEN=memctl_other", "no such token"},
		"no token":    {hub.URL, "MEMCTL_HUB_TOKEN=", "git credential approve"},
		"two lines":   {hub.URL, "MEMCTL_HUB_TOKEN=a\nb", "is none"},
	} {
		t.Run(name, func(t *testing.T) {
			h := h
			h.env = append(slices.Clone(h.env), tt.env)
			h.run("", "", "config", "set", "hub.url", tt.url, "--user")
			out, messages, code := h.try("shop", "search", "--hub", "Title")
			if code != 0 || !strings.Contains(out, "preferences/tabs.json") || strings.Count(messages, "\n") != 1 ||
				!strings.Contains(messages, "without the hub: ") || !strings.Contains(messages, tt.says) {
				t.Errorf("%d: %s%s", code, out, messages)
			}
			if out, _, _ := h.try("shop", "search", "--hub", "--json", "Title"); !strings.Contains(out, `"error": "`) ||
				!strings.Contains(out, "tabs.json") {
				t.Errorf("%s", out)
			}
		})
	}
}

// A project cannot send the user's token anywhere.
func TestAProjectNamesNoHub(t *testing.T) {
	t.Parallel()
	evil := newWireHub(t)
	h := newHome(t)
	h.env = append(h.env, "MEMCTL_HUB_TOKEN=memctl_token")
	h.clone("shop", "git@github.com:acme/shop.git")
	h.create("shop", "tabs")
	h.commit("shop")
	h.run("shop", "", "config", "set", "hub.url", evil.URL)
	for _, args := range [][]string{{"search", "--hub", "x"}, {"show", "--hub", "github.com/a/b:decisions/x"},
		{"hub", "publish", "--sequence", "1"}} {
		_, messages, code := h.try("shop", args...)
		if code == 0 || !strings.Contains(messages, "hub.url in the project's configuration is ignored") {
			t.Errorf("%v: %d: %s", args, code, messages)
		}
	}
	h.try("shop", "doctor", "--hub")
	if evil.asked() > 0 {
		t.Errorf("it was asked: %v", evil.requests)
	}
}

// A prompt never waits for the network, nor tells a hub what is asked.
func TestNoHookAsksTheHub(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.create("shop", "tabs")
	if out := h.run("shop",
		`{"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "what is the title of tabs?"}`, "hook",
		"user-prompt-submit"); !strings.Contains(out, "preference tab: Title of tabs") {
		t.Errorf("the prompt receives %s", out)
	}
	h.run("shop", sessionStart, "hook", "session-start")
	h.run("shop", "", "search", "Title")
	h.run("shop", "", "list")
	h.try("shop", "doctor")
	if hub.asked() > 0 {
		t.Errorf("it was asked: %v", hub.requests)
	}
}

// The token comes from the helpers that the user has chosen, never from those of a
// repository.
func TestTokenFromGitsHelpers(t *testing.T) {
	t.Parallel()
	hub := newWireHub(t)
	h := newHubUser(t, hub.URL)
	h.env = append(h.env, "MEMCTL_HUB_TOKEN=")
	h.clone("shop", "git@github.com:acme/shop.git")
	h.create("shop", "tabs")
	h.git("shop", "config", "credential.helper", "!touch ../ran; echo password=memctl_token; :")
	if _, messages, _ := h.try("shop", "search", "--hub", "Title"); !strings.Contains(messages, "there is no token") {
		t.Errorf("with the repository's helper: %s", messages)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "ran")); err == nil {
		t.Error("the repository's helper ran")
	}
	h.git("", "config", "--global", "credential."+hub.URL+".helper",
		`!f() { test "$1" = get && grep -q username=memctl && echo password=memctl_token; }; f`)
	if _, messages, code := h.try("shop", "search", "--hub", "Title"); code != 0 || messages != "" {
		t.Errorf("with the user's helper: %d: %s", code, messages)
	}
}

func TestMCPSearchOfAHub(t *testing.T) {
	t.Parallel()
	wire := newWireHub(t)
	h := newHubUser(t, wire.URL)
	h.create("shop", "tabs")
	wire.last = remote.Publication{Repository: "github.com/acme/payments", Commit: strings.Repeat("1a", 20),
		Memories: []remote.File{
			{Path: "preferences/far.json", Memory: json.RawMessage(preferenceFile("far", `Title of far\u202e`))},
		}}
	server := mcpServer(h.dir + "/shop")
	server.Env = h.env
	s := openSession(t, newMCPClient(nil), server, "")
	var found struct {
		Rows []struct {
			ID, Scope, Summary, Repository, Commit string
			PublishedAt                            time.Time `json:"published_at"`
		}
		Note string
	}
	s.call("search", map[string]any{"query": "Title of", "scope": "hub"}, &found)
	if len(found.Rows) != 2 || found.Rows[0].ID != "tabs" || found.Note != "" {
		t.Fatalf("found %+v", found)
	}
	if far := found.Rows[1]; far.ID != "github.com/acme/payments:preferences/far" || far.Scope != "hub" ||
		far.Repository == "" || far.Commit == "" || far.PublishedAt != wire.publish || far.Summary != "Title of far" {
		t.Errorf("found %+v", far)
	}
	var got struct {
		Details []struct {
			ID, Scope, Repository, Hash string
			Stored                      struct{ Title string }
		}
	}
	s.call("get", map[string]any{"ids": []string{found.Rows[1].ID, "tabs"}}, &got)
	if len(got.Details) != 2 || got.Details[0].Stored.Title != "Title of far" || got.Details[0].Repository == "" ||
		got.Details[1].ID != "tabs" || got.Details[1].Hash == "" {
		t.Errorf("got %+v", got)
	}
	if result := s.try("get",
		map[string]any{"ids": []string{"github.com/acme/payments:preferences/none"}}); !result.IsError ||
		!strings.Contains(said(result), "there is no memory") {
		t.Errorf("an unknown id: %s", said(result))
	}
	wire.Close()
	found.Note = ""
	s.call("search", map[string]any{"query": "Title of", "scope": "hub"}, &found)
	if len(found.Rows) != 1 || !strings.Contains(found.Note, "without the hub: ") {
		t.Errorf("without the hub: %+v", found)
	}

	// A server in a folder without memories still reads the hub.
	other := newWireHub(t)
	other.last = wire.last
	h.run("", "", "config", "set", "hub.url", other.URL, "--user")
	if err := os.Rename(filepath.Join(h.dir, ".claude/memory/preferences"), filepath.Join(h.dir, "away")); err != nil {
		t.Fatal(err)
	}
	server = mcpServer(t.TempDir())
	server.Env = h.env
	s = openSession(t, newMCPClient(nil), server, "")
	s.call("search", map[string]any{"query": "Title of", "scope": "hub"}, &found)
	if len(found.Rows) != 1 || found.Rows[0].Scope != "hub" {
		t.Errorf("without memories: %+v", found)
	}
}
