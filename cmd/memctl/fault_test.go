package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"memctl/gate/gatetest"

	"github.com/google/go-cmp/cmp"
)

// faulty is a home folder with a project, memories of the user, notes of Claude Code and a source outside.
type faulty struct {
	t              *testing.T
	original, live string
}

func newFaulty(t *testing.T) faulty {
	top := t.TempDir()
	f := faulty{t, filepath.Join(top, "original"), filepath.Join(top, "live")}
	for variable, folder := range map[string]string{"HOME": "home", "USERPROFILE": "home", "XDG_STATE_HOME": "state",
		"TMPDIR": "tmp", "TMP": "tmp", "MEMCTL_USER_ROOT": "user", "CLAUDE_CONFIG_DIR": "claude", "CLAUDE_PROJECT_DIR": "work"} {
		t.Setenv(variable, filepath.Join(f.live, folder))
		f.check(os.MkdirAll(filepath.Join(f.live, folder), 0o700))
	}
	f.check(os.MkdirAll(f.path("work"), 0o755))
	f.run("", "init")
	f.run("", "init", "--user")
	f.run(preference("Kept for good", "small"), "create", "--category", "preference", "--target", "kept", "--input", "-")
	f.run("", "add", "preference", "Tabs, not spaces. They are wider.")
	f.put("work/docs/adr/0001-mysql.md", "# Keep invoices in MySQL\n\n## Context\n\nOne host.\n\n## Decision\n\nWe use MySQL.\n")
	f.put("outside/notes/queue.md", "# Send events by Kafka\n\nWe decided to use Kafka for the events.\n")
	f.run("", "import", "adr", f.path("work/docs/adr"), "--yes")
	f.put("work/docs/adr/0001-mysql.md", "# Keep invoices in MySQL\n\n## Context\n\nTwo hosts.\n\n## Decision\n\nWe use MySQL.\n")
	project, err := filepath.EvalSymlinks(f.path("work"))
	f.check(err)
	folder := "claude/projects/" + regexp.MustCompile(`[^0-9A-Za-z]`).ReplaceAllString(project, "-") + "/memory/"
	f.put(folder+"deploy.md", "---\nname: Deployments need two approvals\ndescription: d\ntype: project\n---\n\nTwo people approve.\n")
	f.run("", "list")
	f.check(os.Rename(f.live, f.original))
	return f
}

func (f faulty) check(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f faulty) path(below string) string { return filepath.Join(f.live, filepath.FromSlash(below)) }

func (f faulty) put(below, data string) {
	f.t.Helper()
	f.check(os.MkdirAll(filepath.Dir(f.path(below)), 0o755))
	f.check(os.WriteFile(f.path(below), []byte(data), 0o644))
}

// reset makes the home folder what it was at the beginning.
func (f faulty) reset() {
	f.check(os.RemoveAll(f.live))
	f.check(os.CopyFS(f.live, os.DirFS(f.original)))
}

func (f faulty) call(stdin string, args ...string) (out string, code int) {
	var buf bytes.Buffer
	code = run(append([]string{"memctl"}, args...), streams{In: strings.NewReader(stdin), Out: &buf, Err: &buf})
	return buf.String(), code
}

func (f faulty) run(stdin string, args ...string) {
	f.t.Helper()
	if out, code := f.call(stdin, args...); code != 0 {
		f.t.Fatalf("memctl %v: %d %s", args, code, out)
	}
}

// memories reads every memory of the project and of the user, without the times of the run. One that is not whole fails
// the test.
func (f faulty) memories() map[string]any {
	f.t.Helper()
	found := map[string]any{}
	for _, root := range []string{"work/.claude/memory", "user"} {
		p := project{f.t, ""}
		for name, doc := range p.memoriesAt(f.path(root)) {
			found[root+"/"+name] = doc
		}
	}
	return found
}

// sources reads the list of sources. A line that is not whole fails the test.
func (f faulty) sources() []string {
	data, err := os.ReadFile(f.path("work/.claude/memory/sources.jsonl"))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			f.t.Fatalf("a line of sources.jsonl is broken: %s", line)
		}
	}
	return lines
}

// Whichever operation on a file fails: every memory is as it was or as it shall be, an error says what failed, what is
// reported as done is done, and the same command completes the work.
func TestAnyFileOperationMayFail(t *testing.T) {
	f := newFaulty(t)
	changed := strings.Replace(preference("Kept for good", "larger"), "{",
		`{"changes": [{"date": "2026-01-01T00:00:00Z", "summary": "s"}], `, 1)
	for _, tt := range []struct {
		name, stdin string
		args        []string
	}{
		{"save", decision("First of its folder"), []string{"create", "--category", "decision", "--target", "first", "--input", "-"}},
		{"add", "", []string{"add", "decision", "Send mail by SMTP. The relay speaks nothing else."}},
		{"update", changed, []string{"update", "--target", "kept", "--input", "-"}},
		{"import", "", []string{"import", "markdown", f.path("outside/notes"), "--category", "decision", "--yes"}},
		{"follow", "", []string{"import", "--update", "--yes"}},
		{"adopt", "", []string{"adopt", "deploy"}},
		{"reindex", "", []string{"reindex"}},
		{"move", "", []string{"move", "tabs-not-spaces", "--to", "user"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := f
			f.t = t
			f.reset()
			before := f.memories()
			f.run(tt.stdin, tt.args...)
			done, listed := f.memories(), f.sources()
			f.reset()
			operations := gatetest.Operations(t, func() { f.call(tt.stdin, tt.args...) })
			changes := 0
			seen := map[string]bool{} // "make soak" has each fail, also those that only read or do the same elsewhere
			for i, operation := range operations {
				if operation.Changes() {
					changes++
				}
				kind := operation.Name + filepath.Base(operation.Path)
				repeated := seen[kind] || !operation.Changes() && i%32 != 0
				if seen[kind] = true; repeated && soak(0, 1) == 0 || !strings.HasPrefix(operation.Path, f.live) {
					continue
				}
				f.reset()
				var out string
				var code int
				failed := gatetest.FailAt(t, i+1, func() { out, code = f.call(tt.stdin, tt.args...) })
				when := fmt.Sprintf("%d, %s %s", i+1, failed.Name, strings.ReplaceAll(failed.Path, f.live, ""))
				after := f.memories()
				for name, old := range before {
					if !cmp.Equal(after[name], old) && !cmp.Equal(after[name], done[name]) && !movedWhole(name, after, done) {
						t.Errorf("%s: %s is neither old nor new:\n%s\n%s", when, name, cmp.Diff(old, after[name]), out)
					}
				}
				complete := cmp.Equal(after, done) && len(f.sources()) == len(listed)
				switch {
				case code == 0 && !complete:
					t.Errorf("%s: it says that it is done:\n%s\n%s", when, out, cmp.Diff(done, after))
				case code != 0 && !saysWhy(out):
					t.Errorf("%s: unclear: %s", when, out)
				}
				if complete {
					continue
				}
				out, code = f.call(tt.stdin, tt.args...)
				if now := f.memories(); code != 0 || !cmp.Equal(now, done) || len(f.sources()) != len(listed) {
					t.Errorf("%s: not completed: %d %s\n%s\n%v", when, code, out, cmp.Diff(done, now), f.sources())
				}
			}
			if t.Logf("%d operations, %d change a disk", len(operations), changes); changes < 5 {
				t.Errorf("only %d operations change a disk", changes)
			}
		})
	}
}

// movedWhole reports whether a memory is where the change moves it, or in both places.
func movedWhole(name string, after, done map[string]any) bool {
	there := "user/" + path.Base(name)
	return after[name] == nil && done[name] == nil && cmp.Equal(after[there], done[there])
}

// saysWhy reports whether an error names a file or a folder and what is wrong.
func saysWhy(out string) bool {
	return strings.Contains(out, syscall.ENOSPC.Error()) || strings.Contains(out, syscall.EIO.Error()) ||
		strings.Contains(out, `there is no memory "deploy"`) || strings.Contains(out, "no memory root") // not found
}
