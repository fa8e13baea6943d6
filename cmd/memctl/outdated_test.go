package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// outdatedKinds are the ways in which a memory is no longer true. Each makes the memory of a
// word, which is about the file src/WORD.go.
var outdatedKinds = []struct {
	name, reason string // a regular expression
	memories     int
	category     string
	content      string // %s is the word
	git          func(word string) [][]string
}{
	{"gone", `src/\w+\.go is gone since 2024-05-03`, 8, "constraint", `{"kind": "policy", "rule": "Rule %s holds.", "impact": ["i"], "severity": "low", "active": true}`,
		func(word string) [][]string { return [][]string{{"rm", "-q", "src/" + word + ".go"}} }},
	{"renamed", `src/\w+\.go is now lib/\w+\.go, since 2024-05-03`, 8, "constraint", `{"rule": "Rule %s holds.", "severity": "low"}`,
		func(word string) [][]string { return [][]string{{"mv", "src/" + word + ".go", "lib/" + word + ".go"}} }},
	{"expired", `expired on 2024-02`, 7, "constraint", `{"rule": "Rule %s holds.", "severity": "high", "expires": "2024-02"}`, nil},
	{"inactive", `no longer active`, 7, "constraint", `{"rule": "Rule %s holds.", "severity": "low", "active": false}`, nil},
	{"rejected", `deprecated`, 7, "decision", `{"decision": "Rule %s holds.", "status": "deprecated", "context": "c", "rationale": ["r"]}`, nil},
	{"settled", `wont fix`, 7, "tech_debt", `{"description": "Rule %s holds.", "status": "wont_fix"}`, nil},
	{"changed", `src/\w+\.go no longer has qug\wx`, 6, "preference", `{"topic": "About %[1]s", "value": "Rule %[1]s holds.", "reason": "r", "strength": "soft"}`, nil},
}

// No memory that may be outdated is given without the reason, wherever it is given.
func TestOutdatedMemoriesSayWhy(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	p := newProject(t)
	commit := func(date string) {
		p.gitAt(date, "add", "-A")
		p.gitAt(date, "commit", "-q", "-m", "work")
	}
	p.gitAt("", "init", "-q")
	p.check(os.WriteFile(p.path("memory-config.json"), []byte(`{"retrieval": {"match_strategy": "hybrid", "start_tokens": 5000, "once_a_session": false}}`), 0o644))
	words, reasons := []string{}, map[string]string{}
	for k, kind := range outdatedKinds {
		for i := range kind.memories {
			word := fmt.Sprintf("qu%c%cx", 'a'+k, 'a'+i)
			words, reasons[word] = append(words, word), kind.reason
			p.writeFile("src/"+word+".go", "package src // "+strings.Repeat(word+"\n", 30))
			folder := map[string]string{"constraint": "constraints", "decision": "decisions", "tech_debt": "tech-debt", "preference": "preferences"}[kind.category]
			p.writeFile(".claude/memory/"+folder+"/about-"+word+".json", fmt.Sprintf(
				`{"schema_version": "1.0", "id": "about-%[1]s", "category": "%[2]s", "times_updated": 0, "changes": [], "title": "About %[1]s", "tags": ["%[1]s"], "record_status": "active", "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z", "related_files": ["src/%[1]s.go"], "content": `+strings.ReplaceAll(kind.content, "%s", "%[1]s")+`}`, word, kind.category))
		}
	}
	p.writeFile("lib/keep.go", "package lib")
	commit("2024-01-01T00:00:00Z")
	for k, kind := range outdatedKinds {
		for i := range kind.memories {
			if kind.git == nil {
				continue
			}
			for _, args := range kind.git(fmt.Sprintf("qu%c%cx", 'a'+k, 'a'+i)) {
				p.gitAt("", args...)
			}
		}
	}
	commit("2024-05-03T12:00:00Z")
	for n := range 5 {
		for _, word := range words {
			if strings.HasPrefix(word, "qug") {
				p.writeFile("src/"+word+".go", fmt.Sprintf("package src // %s", strings.Repeat(fmt.Sprintf("%s%d\n", word, n), 30)))
			}
		}
		commit("2024-06-01T12:00:00Z")
	}
	memctl(t, p.dir, "", "review")

	given, unmarked := 0, 0
	look := func(where, text, word string) {
		t.Helper()
		if !strings.Contains(text, "Rule "+word) {
			t.Errorf("%s: the memory of %s is not given: %s", where, word, text)
			return
		}
		given++
		if !regexp.MustCompile(`\(` + reasons[word] + `[^)]*\) (About ` + word + `\. )?Rule ` + word + " holds").MatchString(text) {
			unmarked++
			t.Errorf("%s: no reason %q: %s", where, reasons[word], text)
		}
	}
	context := func(hook, event string) string {
		out, _ := memctl(t, p.dir, event, "hook", hook)
		a, err := decodeHookAnswer(out)
		p.check(err)
		return a.Specific.Context
	}
	start := context("session-start", `{"session_id": "start", "source": "startup"}`)
	session := connect(t, p.dir)
	for _, word := range words {
		look("the start", start, word)
		list := context("user-prompt-submit", fmt.Sprintf(`{"session_id": "p-%[1]s", "prompt": "what do we know about %[1]s?"}`, word))
		if !regexp.MustCompile(`: About ` + word + ` \(` + reasons[word] + `[^)]*\)\n`).MatchString(list) {
			t.Errorf("a prompt: no reason %q for %s: %s", reasons[word], word, list)
		}
		file := "src/" + word + ".go"
		if strings.HasPrefix(word, "qub") { // it is found by its new name
			file = "lib/" + word + ".go"
		}
		look("a tool", context("pre-tool-use", fmt.Sprintf(`{"session_id": "t-%s", "tool_name": "Edit", "tool_input": {"file_path": %q}}`,
			word, filepath.Join(p.dir, filepath.FromSlash(file)))), word)
		if strings.HasSuffix(word, "ax") { // one of each kind
			out, _ := memctl(t, p.dir, "", "search", word)
			look("search", out, word)
			out, _ = memctl(t, p.dir, "", "search", "--smart", word)
			if !regexp.MustCompile("outdated: " + reasons[word]).MatchString(out) {
				look("search --smart", out, word)
			}
		}
		for _, row := range session.search(map[string]any{"query": word}) {
			if row.ID == "about-"+word {
				look("MCP", "("+row.Outdated+") "+row.Summary, word)
			}
		}
	}
	out, _ := memctl(t, p.dir, "", "search", "--json", "--limit", "100", "Rule holds "+strings.Join(words[:20], " "))
	var found []struct{ ID, Outdated string }
	p.check(json.Unmarshal([]byte(out), &found))
	for _, f := range found {
		if f.Outdated == "" {
			t.Errorf("search --json: %s has no reason", f.ID)
		}
	}
	if len(words) != 50 || len(found) < 20 || slices.Contains(words, "") {
		t.Errorf("%d memories, %d found", len(words), len(found))
	}
	t.Logf("%d given, %d of them unmarked", given, unmarked)

	// A memory that was changed since, and a file that is back, are settled.
	p.writeFile("src/quaax.go", "package src")
	if got := context("pre-tool-use", fmt.Sprintf(`{"session_id": "back", "tool_name": "Edit", "tool_input": {"file_path": %q}}`,
		filepath.Join(p.dir, "src", "quaax.go"))); !strings.Contains(got, "  Rule quaax") {
		t.Errorf("a file that is back: %s", got)
	}
	memctl(t, p.dir, "", "review", "about-qugax", "--confirm")
	if out, _ := memctl(t, p.dir, "", "search", "qugax"); strings.Contains(out, "(src/qugax") {
		t.Errorf("a memory that was confirmed: %s", out)
	}
}

// writeFile writes a file of the project.
func (p project) writeFile(name, data string) {
	p.t.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	p.check(os.MkdirAll(filepath.Dir(file), 0o755))
	p.check(os.WriteFile(file, []byte(data), 0o644))
}

// gitAt runs git in the project, as if at a time.
func (p project) gitAt(date string, args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.com"}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// A commit may have any number of memories.
func TestACommitOfVeryManyMemories(t *testing.T) {
	p := newProject(t)
	for i := range 5001 {
		p.put(fmt.Sprintf("decisions/m%04d.json", i), fmt.Sprintf("Memory %d", i))
	}
	p.check(os.WriteFile(p.path("memory-config.json"), []byte(`{"git": {"history": true}}`), 0o644))
	p.check(os.WriteFile(p.path(".gitignore"), []byte("index.db*\n"), 0o644))
	p.git("init", "--quiet")
	p.git("add", "-A")
	p.git("commit", "--quiet", "-m", "all")
	memctl(t, p.dir, "", "reindex")
	start := fmt.Sprintf(`{"session_id": "s", "cwd": %q, "source": "startup"}`, p.dir)
	if out, errOut := memctl(t, p.dir, start, "hook", "session-start"); strings.Contains(out, "rebuilt") || errOut != "" {
		t.Errorf("a start says %s%s", out, errOut)
	}
}
