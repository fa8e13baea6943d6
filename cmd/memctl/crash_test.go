//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// writing is one change of a fresh copy of the store.
type writing struct {
	name  string
	args  []string
	stdin string
	// split is set if the file has its new id and still its old name for a moment:
	// the content and the name cannot change in one step.
	split bool
}

// writings are the changes that the test interrupts.
func writings() []writing {
	long := strings.Repeat("Sentence after sentence. ", 4000) // many pages
	return []writing{
		{name: "create", args: []string{"create", "--category", "preference", "--target", "made", "--input", "-"}, stdin: preference("Newly made", long)},
		{name: "create in no folder", args: []string{"create", "--category", "decision", "--target", "first", "--input", "-"}, stdin: decision("First of its folder")},
		{name: "create over retired", args: []string{"create", "--category", "preference", "--target", "retired", "--input", "-"}, stdin: preference("Back again", long)},
		{name: "update", args: []string{"update", "--target", "kept", "--input", "-"}, stdin: preference("Kept for good", long)},
		{name: "update and rename", args: []string{"update", "--target", "kept", "--input", "-"}, stdin: preference("Another name altogether", long), split: true},
		{name: "retire", args: []string{"retire", "--target", "kept"}},
		{name: "archive", args: []string{"retire", "--keep", "--target", "kept"}},
		{name: "restore", args: []string{"restore", "--target", "retired"}},
		{name: "gc", args: []string{"gc"}},
		{name: "config", args: []string{"config", "set", "retrieval.max_inject", "3"}},
	}
}

func decision(title string) string {
	return fmt.Sprintf(`{"title": %q, "tags": ["tag"], "content": {"status": "accepted", "context": "c", "decision": "d", "rationale": ["r"]}}`, title)
}

// crashProject is a store with an index, made by memctl itself.
func crashProject(t *testing.T) project {
	t.Helper()
	p := project{t, t.TempDir()}
	for _, id := range []string{"kept", "retired", "bystander"} {
		memctl(t, p.dir, preference("Kept for good", "small"), "create", "--category", "preference", "--target", id, "--input", "-")
	}
	memctl(t, p.dir, "", "retire", "--target", "retired")
	p.rewrite("preferences/retired.json", func(doc map[string]any) { doc["retired_at"] = "2025-01-01T00:00:00Z" })
	p.check(os.WriteFile(p.path("memory-config.json"), []byte(`{"delete": {"archive_retired": false}}`), 0o644))
	p.check(os.Remove(p.path("decisions")))
	memctl(t, p.dir, "", "list")
	return p
}

// memories reads every memory, without the times of the run.
func (p project) memories() map[string]any {
	p.t.Helper()
	return p.memoriesAt(p.path())
}

// memoriesAt is memories of the root at a path.
func (p project) memoriesAt(root string) map[string]any {
	p.t.Helper()
	found := map[string]any{}
	names, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	p.check(err)
	for _, name := range append(names, filepath.Join(root, "memory-config.json")) {
		data, err := os.ReadFile(name)
		p.check(err)
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			p.t.Fatalf("%s is broken: %v", name, err)
		}
		for _, field := range []string{"created_at", "updated_at", "retired_at", "archived_at"} {
			delete(doc, field)
		}
		changes, _ := doc["changes"].([]any)
		for _, entry := range changes {
			delete(entry.(map[string]any), "date")
		}
		found[filepath.Base(name)] = doc
	}
	return found
}

// crash is a store and the results of each change to it.
type crash struct {
	original project
	before   map[string]any
	done     map[string]map[string]any // by the name of the change
}

func newCrash(t *testing.T, all []writing) crash {
	t.Helper()
	c := crash{original: crashProject(t), done: map[string]map[string]any{}}
	c.before = c.original.memories()
	for _, w := range all {
		p := c.clone(t)
		cmd, _, errOut := w.command(p)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v: %s", w.name, err, errOut)
		}
		c.done[w.name] = p.memories()
	}
	return c
}

func (c crash) clone(t *testing.T) project {
	t.Helper()
	p := project{t, t.TempDir()}
	p.check(os.CopyFS(p.path(), os.DirFS(c.original.path())))
	return p
}

// If a process is killed at any step of a change, or at any moment, every file is whole,
// old or new. The next command removes what was left behind, and its index is right,
// also after another change.
func TestKilledWritersLeaveWholeFiles(t *testing.T) {
	t.Parallel()
	all := writings()
	c := newCrash(t, all)
	share := soak(50, 500) / len(all)
	for _, w := range all {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewSource(1))
			for range share - c.dieAtEachStep(t, w) {
				c.dieAt(t, w, time.Duration(random.Intn(30_000))*time.Microsecond)
			}
		})
	}
}

func (c crash) dieAt(t *testing.T, w writing, after time.Duration) {
	p := c.clone(t)
	cmd, _, _ := w.command(p)
	p.check(cmd.Start())
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	cmd.Wait()
	timer.Stop()
	c.survived(p, w, fmt.Sprintf("killed after %v", after))
}

// dieAtEachStep kills the change at its first step, its second and so on, and returns
// the number of steps.
func (c crash) dieAtEachStep(t *testing.T, w writing) int {
	for step := 1; ; step++ {
		p := c.clone(t)
		cmd, _, errOut := w.command(p)
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", killAt, step))
		if err := cmd.Run(); err == nil {
			if step < 5 {
				t.Errorf("only %d steps", step-1)
			}
			return step - 1
		} else if cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("step %d: %v: %s", step, err, errOut)
		}
		c.survived(p, w, fmt.Sprintf("killed at step %d", step))
	}
}

func (w writing) command(p project) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	args := slices.Clone(w.args)
	stdin := w.stdin
	if args[0] == "update" { // the draft has the history of the file and one more entry
		stdin = strings.Replace(stdin, "{", `{"changes": [{"date": "2026-01-01T00:00:00Z", "summary": "s"}], `, 1)
	}
	return process(p.dir, stdin, args...)
}

// survived checks a store after a change that may have been interrupted.
func (c crash) survived(p project, w writing, when string) {
	p.t.Helper()
	after, done := p.memories(), c.done[w.name]
	whole := cmp.Equal(after, c.before) || cmp.Equal(after, done)
	if w.split && !whole {
		renamed := maps.Clone(after)
		renamed["another-name-altogether.json"] = after["kept.json"]
		delete(renamed, "kept.json")
		whole = cmp.Equal(renamed, done)
	}
	if !whole {
		p.t.Errorf("%s: neither old nor new (-old +got):\n%s", when, cmp.Diff(c.before, after))
	}
	p.inProcess("list")
	for _, pattern := range []string{".memctl-*", "*/.memctl-*", "*/*.tmp"} {
		if left, _ := filepath.Glob(p.path(pattern)); len(left) > 0 {
			p.t.Errorf("%s: left %v", when, left)
		}
	}
	p.inProcess("retire", "--target", "bystander")
	p.inProcess("list")
	out, code := p.inProcess("validate")
	if code != 0 && !(w.split && strings.Count(out, "\n") == 2 && strings.Contains(out, "kept.json: id: expected the name of the file")) {
		p.t.Errorf("%s: validate says %s", when, out)
	}
}
