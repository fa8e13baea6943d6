package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/features/git/mergetest"
	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/schemas"
)

// newForge is a repository without the merge driver, whose history is git's, with n memories of
// every category.
func newForge(t *testing.T, n int) (repository, []string) {
	t.Helper()
	r := newRepository(t, false)
	memctl(t, r.dir, "", "config", "set", "git.history", "true")
	var paths []string
	for i := range n {
		info := schemas.Categories[i%len(schemas.Categories)]
		id := fmt.Sprintf("m%02d", i)
		m := mergetest.Memory(id)
		m.Category, m.Title = info.Category, fmt.Sprintf("Memory number %d of what we know", i)
		m.Tags, m.RelatedFiles = []string{"billing", "kafka", "queue", "webhooks"}, []string{"src/pay.go", "src/retry.go"}
		m.SetContent(forgeContent[info.Category])
		paths = append(paths, info.Folder+"/"+id+".json")
		r.write(paths[i], m)
	}
	r.commit("memories")
	return r, paths
}

var forgeContent = map[schemas.Category]map[string]any{
	schemas.Decision: {"status": "accepted", "context": "Webhooks fail", "decision": "Retry them",
		"rationale": []any{"Partners are slow", "It is cheap"}, "consequences": []any{"More load"}},
	schemas.SessionSummary: {"goal": "Retries", "outcome": "partial", "completed": []any{"The queue", "The worker"},
		"next_actions": []any{"Measure it"}},
	schemas.Runbook: {"trigger": "The queue grows", "symptoms": []any{"Alarms"}, "steps": []any{"Look", "Restart"},
		"verification": "It shrinks", "root_cause": "A slow partner"},
	schemas.Constraint: {"kind": "technical", "rule": "1 MB", "impact": []any{"photos", "scans"}, "severity": "high",
		"active": true, "workarounds": []any{"Split them"}},
	schemas.TechDebt: {"status": "open", "priority": "high", "description": "Two queues", "reason_deferred": "No time",
		"impact": []any{"Confusion"}, "suggested_fix": []any{"Drop one", "Merge them"}},
	schemas.Preference: {"topic": "Errors", "value": "Wrap them", "reason": "Traces", "strength": "default",
		"examples": map[string]any{"prefer": []any{"%w"}, "avoid": []any{"%v"}}},
}

// rewritable is a text of each category that people reword.
var rewritable = map[schemas.Category]string{
	schemas.Decision: "decision", schemas.SessionSummary: "goal", schemas.Runbook: "verification",
	schemas.Constraint: "rule", schemas.TechDebt: "description", schemas.Preference: "reason",
}

// forgeEdits are what one side does to a memory. Two different ones are independent of each other.
var forgeEdits = []func(m *schemas.Memory, word string){
	func(m *schemas.Memory, word string) { m.Tags = append(m.Tags, word) },
	func(m *schemas.Memory, word string) { m.RelatedFiles = append(m.RelatedFiles, "src/"+word+".go") },
	func(m *schemas.Memory, word string) {
		content := m.ContentValues()
		content[rewritable[m.Category]] = "Now " + word
		m.SetContent(content)
	},
	func(m *schemas.Memory, word string) {
		content := m.ContentValues()
		for _, name := range []string{"rationale", "completed", "steps", "impact"} {
			if list, ok := content[name].([]any); ok {
				content[name] = append(list, "Item "+word)
				m.SetContent(content)
				return
			}
		}
		m.Confidence = new(0.9)
	},
}

// update has memctl update a memory.
func (r repository) update(path string, change func(*schemas.Memory)) {
	r.t.Helper()
	doc := r.read(path)
	change(doc)
	draft, err := doc.Encode()
	r.check(err)
	memctl(r.t, r.dir, string(draft), "update", "--target", path, "--input", "-")
}

// unmerged lists the memories that git could not merge.
func (r repository) unmerged() []string {
	return strings.Fields(r.git("diff", "--name-only", "--diff-filter=U"))
}

func (r repository) root() files.Root {
	r.t.Helper()
	root, err := files.At(r.dir)
	r.check(err)
	return root
}

func (r repository) checkAllValid() {
	r.t.Helper()
	if out, _, code := exitStatus(r.t, r.dir, "", "validate"); code != 0 {
		r.t.Error(out)
	}
}

func TestAForgeMergesIndependentUpdates(t *testing.T) {
	t.Parallel()
	r, paths := newForge(t, 40)
	words := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("%c%d", 'a'+words.IntN(26), words.IntN(1000)) }
	for side, name := range []string{"berlin", "seoul"} {
		r.branch(name, func() {
			for i, path := range paths {
				edit := forgeEdits[(i+side*(1+i/len(forgeEdits)%3))%len(forgeEdits)]
				if i%8 == 4 { // both add a tag
					edit = forgeEdits[0]
				}
				r.update(path, func(m *schemas.Memory) { edit(m, word()) })
			}
		})
	}
	for _, name := range []string{"berlin", "seoul"} {
		if _, code := r.run("merge", "-q", "--no-edit", name); code != 0 {
			conflicts := r.unmerged()
			t.Logf("%d of %d conflict: %v", len(conflicts), len(paths), conflicts)
			if len(conflicts) > 5 {
				t.Errorf("more than 5 of %d pairs conflict", len(paths))
			}
			for _, path := range conflicts {
				r.git("checkout", "--ours", "--", path)
			}
			r.commit("merged")
		}
	}
	r.checkAllValid()
	for _, path := range paths {
		if doc := r.read(path); doc.TimesUpdated != 1 || len(doc.Changes) != 1 {
			t.Errorf("%s has bookkeeping: %d updates, %d changes", path, doc.TimesUpdated, len(doc.Changes))
		}
	}
}

// shownUpdates is what memctl show says of the changes of a memory.
func (r repository) shownUpdates(path string) string {
	r.t.Helper()
	out, _ := memctl(r.t, r.dir, "", "show", path)
	for line := range strings.Lines(out) {
		if _, said, found := strings.Cut(line, "updated "); found {
			return strings.TrimSpace(said)
		}
	}
	return ""
}

func TestGitSaysWhenMemoriesChanged(t *testing.T) {
	r, _ := newForge(t, 0)
	at := func(date string) { // of the next commit
		t.Setenv("GIT_AUTHOR_DATE", date)
		t.Setenv("GIT_COMMITTER_DATE", date)
	}
	says := func(want string) {
		t.Helper()
		memctl(t, r.dir, "", "reindex")
		if got := r.shownUpdates(kafka); got != want {
			t.Errorf("updated %s, want %s", got, want)
		}
	}
	reword := func(rule string) func(m *schemas.Memory) {
		return func(m *schemas.Memory) { m.Content.(*schemas.ConstraintContent).Rule = rule }
	}
	before, err := os.ReadFile(r.path(kafka))
	r.check(err)
	at("2031-02-01T10:00:00Z")
	r.update(kafka, reword("2 MB"))
	after, err := os.ReadFile(r.path(kafka))
	r.check(err)
	if want := strings.Replace(string(before), "1 MB", "2 MB", 1); string(after) != want {
		t.Errorf("an update wrote more than it changed:\n%s", after)
	}
	r.commit("Raise it")
	says("2031-02-01 (1 time)")
	at("2031-03-01T10:00:00Z")
	r.update(kafka, reword("3 MB"))
	r.commit("Raise it again")
	says("2031-03-01 (2 times)")

	// A new title gives the file another name, and what it had stays.
	at("2031-04-01T10:00:00Z")
	r.update(kafka, func(m *schemas.Memory) { m.Title = "Messages have a limit" })
	r.commit("Another title")
	memctl(t, r.dir, "", "reindex")
	if got := r.shownUpdates("constraints/messages-have-a-limit.json"); got != "2031-04-01 (3 times)" {
		t.Errorf("after a rename: updated %s", got)
	}
	out, _ := memctl(t, r.dir, "", "list", "--json")
	var list []struct {
		UpdatedAt    string `json:"updated_at"`
		TimesUpdated int    `json:"times_updated"`
	}
	r.check(json.Unmarshal([]byte(out), &list))
	if len(list) != 1 || list[0].UpdatedAt != "2031-04-01T10:00:00Z" || list[0].TimesUpdated != 3 {
		t.Errorf("list says %+v", list)
	}

	// What is not committed yet counts by the file's own time, and in the other form the file
	// alone counts.
	path := "constraints/messages-have-a-limit.json"
	r.update(path, reword("4 MB"))
	if got := r.shownUpdates(path); !strings.HasSuffix(got, "(4 times)") {
		t.Errorf("before the commit: updated %s", got)
	}
	memctl(t, r.dir, "", "config", "set", "git.history", "false")
	memctl(t, r.dir, "", "reindex")
	if got := r.shownUpdates(path); got != "2026-01-01 (1 time)" {
		t.Errorf("without git.history: updated %s", got)
	}
}

// Two sides that add the twelfth and the thirteenth tag make a memory with both, in a plain merge. It is
// valid, review reports it, and the next write keeps the first twelve and says so.
func TestAMergeMayLeaveTooManyTags(t *testing.T) {
	t.Parallel()
	r, _ := newForge(t, 0)
	eleven := []string{"b", "d", "f", "h", "j", "kafka", "l", "limits", "n", "p", "t1"}
	r.update(kafka, func(m *schemas.Memory) { m.Tags = eleven })
	r.commit("eleven tags")
	tag := func(tag string) func() {
		return func() { r.update(kafka, func(m *schemas.Memory) { m.Tags = append(m.Tags, tag) }) }
	}
	r.branch("berlin", tag("a"))
	r.branch("seoul", tag("z"))
	r.git("merge", "-q", "--no-edit", "berlin")
	r.git("merge", "-q", "--no-edit", "seoul")
	if doc := r.read(kafka); len(doc.Tags) != 13 {
		t.Fatalf("the merge has the tags %v", doc.Tags)
	}
	r.checkAllValid()
	out, _ := memctl(t, r.dir, "", "search", "kafka", "z")
	if !strings.Contains(out, "kafka.json") {
		t.Errorf("search does not find it:\n%s", out)
	}
	out, _ = memctl(t, r.dir, "", "review", "--only", "tags", "--all")
	const says = "it has 13 tags, of which the next update keeps the first 12 and leaves out z\n      memctl edit kafka\n"
	if !strings.Contains(out, says) {
		t.Errorf("review does not say %q:\n%s", says, out)
	}
	published, err := remote.ReadPublication(t.Context(), r.root(), schemas.DefaultConfig(), "HEAD")
	r.check(err)
	if sent := string(published.Memories[0].Memory); strings.Contains(sent, `"z"`) || !strings.Contains(sent, `"t1"`) {
		t.Errorf("a hub gets %s", sent)
	}
	for name, args := range map[string][]string{
		"update": {"update", "--target", kafka, "--input", "-"}, "confirm": {"review", "kafka", "--confirm"},
	} {
		r.git("checkout", "-q", ".")
		draft, err := r.read(kafka).Encode()
		r.check(err)
		if out, told := memctl(t, r.dir, string(draft), args...); !strings.Contains(out+told, "z") {
			t.Errorf("%s does not say what it leaves out: %s%s", name, out, told)
		}
		if doc := r.read(kafka); !slices.Equal(doc.Tags, append([]string{"a"}, eleven...)) {
			t.Errorf("after %s: %v", name, doc.Tags)
		}
	}
	memctl(t, r.dir, "", "config", "set", "git.history", "false")
	r.git("checkout", "-q", "HEAD", "--", ".claude/memory/constraints")
	if out, _, code := exitStatus(t, r.dir, "", "validate"); code == 0 {
		t.Errorf("in the other form it is valid: %s", out)
	}
}

// The page, review and what a hub gets have the time of git's log, too.
func TestEveryDoorHasGitsTimes(t *testing.T) {
	r, _ := newForge(t, 0)
	t.Setenv("GIT_AUTHOR_DATE", "2031-02-01T10:00:00Z")
	t.Setenv("GIT_COMMITTER_DATE", "2031-02-01T10:00:00Z")
	r.update(kafka, func(m *schemas.Memory) {
		m.Content.(*schemas.ConstraintContent).Rule = "2 MB"
		m.Content.(*schemas.ConstraintContent).Expires = "2020-01-01"
	})
	r.commit("Raise it")
	memctl(t, r.dir, "", "reindex")
	var report struct {
		Findings []struct {
			UpdatedAt string `json:"updated_at"`
		} `json:"findings"`
	}
	out, _ := memctl(t, r.dir, "", "review", "--only", "expired,missing", "--json")
	r.check(json.Unmarshal([]byte(out), &report))
	if len(report.Findings) != 1 || report.Findings[0].UpdatedAt != "2031-02-01T10:00:00Z" {
		t.Errorf("review says %+v", report.Findings)
	}
	published, err := remote.ReadPublication(t.Context(), r.root(), schemas.DefaultConfig(), "HEAD")
	r.check(err)
	sent := string(published.Memories[0].Memory)
	for _, want := range []string{`"updated_at":"2031-02-01T10:00:00Z"`, `"times_updated":1`} {
		if !strings.Contains(sent, want) {
			t.Errorf("a hub gets no %s:\n%s", want, sent)
		}
	}
	page := openUI(r.project)
	_, _, body := page.fetch(http.MethodGet, page.base+"/memories/constraints/kafka", nil)
	if !strings.Contains(body, "2031-02-01") {
		t.Errorf("the page does not say when:\n%s", body)
	}
}

// A clone may lack the contents of a file. Review goes on behind the commit that changed it.
func TestReviewReadsBehindWhatACloneLacks(t *testing.T) {
	r, _ := newForge(t, 0)
	r.update(kafka, func(m *schemas.Memory) { m.Content.(*schemas.ConstraintContent).Rule = "RetryQueue holds what failed" })
	source := filepath.Join(r.dir, "queue.go")
	at := func(date, text string) (blob string) {
		t.Setenv("GIT_AUTHOR_DATE", date)
		t.Setenv("GIT_COMMITTER_DATE", date)
		r.check(os.WriteFile(source, []byte(text), 0o644))
		r.commit(text)
		return strings.TrimSpace(r.git("rev-parse", "HEAD:queue.go"))
	}
	at("2031-01-01T10:00:00Z", "type RetryQueue struct{}\n")
	at("2031-02-01T10:00:00Z", "type Queue struct{}\n")
	blob := at("2031-03-01T10:00:00Z", "type Lost struct{}\n")
	at("2031-04-01T10:00:00Z", "type Other struct{}\n")
	r.check(os.Remove(filepath.Join(r.dir, ".git", "objects", blob[:2], blob[2:])))
	out, _ := memctl(t, r.dir, "", "review", "--only", "vanished")
	if !strings.Contains(out, "RetryQueue no longer occurs in the code") || !strings.Contains(out, ", 2031-02-01)") {
		t.Errorf("review says:\n%s", out)
	}
}

// A session's start takes in the commits that came since the last one, also after a rebase.
func TestASessionsStartReadsGitsLog(t *testing.T) {
	r, _ := newForge(t, 0)
	start := func() {
		t.Helper()
		event, err := json.Marshal(map[string]string{"session_id": "s", "cwd": r.dir, "hook_event_name": "SessionStart", "source": "startup"})
		r.check(err)
		memctl(t, r.dir, string(event), "hook", "session-start")
	}
	start()
	for i, rule := range []string{"2 MB", "3 MB", "4 MB"} {
		date := fmt.Sprintf("203%d-02-01T10:00:00Z", i)
		t.Setenv("GIT_AUTHOR_DATE", date)
		t.Setenv("GIT_COMMITTER_DATE", date)
		r.update(kafka, func(m *schemas.Memory) { m.Content.(*schemas.ConstraintContent).Rule = rule })
		r.commit(rule)
		start()
	}
	if got := r.shownUpdates(kafka); got != "2032-02-01 (3 times)" {
		t.Errorf("updated %s", got)
	}
	r.git("reset", "-q", "--soft", "HEAD~2")
	r.commit("squashed")
	start()
	if got := r.shownUpdates(kafka); got != "2032-02-01 (2 times)" {
		t.Errorf("after a squash: updated %s", got)
	}
}

func TestHandEditsRebasePickAndSquashWithoutADriver(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(r repository) int{
		"rebase": func(r repository) int {
			r.git("checkout", "-q", "seoul")
			_, code := r.run("rebase", "berlin")
			return code
		},
		"cherry-pick": func(r repository) int {
			r.git("checkout", "-q", "berlin")
			_, code := r.run("cherry-pick", "main..seoul")
			return code
		},
		"squash": func(r repository) int {
			r.git("checkout", "-q", "berlin")
			if _, code := r.run("merge", "-q", "--squash", "seoul"); code != 0 {
				return code
			}
			r.commit("squashed")
			return 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, paths := newForge(t, 20)
			for side, branch := range []string{"berlin", "seoul"} {
				r.branch(branch, func() {
					for i, path := range paths { // by hand: memctl has no part in it
						doc := r.read(path)
						forgeEdits[(i+side*2)%len(forgeEdits)](doc, branch)
						slices.Sort(doc.Tags)
						r.write(path, doc)
					}
				})
			}
			if run(r) != 0 {
				t.Fatalf("conflicts in %v", r.unmerged())
			}
			r.checkAllValid()
			r.commitIfNeeded()
			memctl(t, r.dir, "", "reindex")
			for _, path := range paths {
				if got := r.shownUpdates(path); !strings.HasSuffix(got, "times)") {
					t.Errorf("%s: updated %s", path, got)
				}
			}
		})
	}
}

func (r repository) commitIfNeeded() {
	if r.git("status", "--porcelain") != "" {
		r.commit("rest")
	}
}
