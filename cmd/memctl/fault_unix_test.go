//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"memctl/cmd/command"
	"memctl/files/gate/gatetest"
	"memctl/indexer"

	"github.com/google/go-cmp/cmp"
)

// faulty is a home folder with a project, and what it is at the beginning of each command.
type faulty struct {
	t    *testing.T
	live string
	kept map[string]kept // by path below live
}

// kept is a file or a folder as it was.
type kept struct {
	fs.FileInfo
	data []byte
}

func newFaulty(t *testing.T) faulty {
	live, err := filepath.EvalSymlinks(t.TempDir())
	f := faulty{t, live, map[string]kept{}}
	f.check(err)
	for variable, folder := range map[string]string{"HOME": "home", "USERPROFILE": "home", "XDG_STATE_HOME": "state",
		"TMPDIR": "tmp", "TMP": "tmp", "MEMCTL_USER_ROOT": "user", "CLAUDE_CONFIG_DIR": "claude", "CLAUDE_PROJECT_DIR": "work"} {
		t.Setenv(variable, f.path(folder))
		if folder != "user" {
			f.check(os.MkdirAll(f.path(folder), 0o700))
		}
	}
	t.Chdir(f.path("work"))
	f.run("", "init")
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

// keep takes the home folder as it is for the beginning.
func (f faulty) keep() {
	f.check(filepath.WalkDir(f.live, func(path string, entry fs.DirEntry, err error) error {
		info, statErr := os.Lstat(path)
		if err = errors.Join(err, statErr); err != nil || path == f.live {
			return err
		}
		file := kept{FileInfo: info}
		if !entry.IsDir() {
			file.data, err = os.ReadFile(path)
		}
		f.kept[path] = file
		return err
	}))
}

// changed lists what is not as it was at the beginning, folders before what is in them.
func (f faulty) changed() (paths []string) {
	found := 0
	f.check(filepath.WalkDir(f.live, func(path string, _ fs.DirEntry, err error) error {
		info, statErr := os.Lstat(path)
		if err = errors.Join(err, statErr); err != nil || path == f.live {
			return err
		}
		was, known := f.kept[path]
		if known {
			found++
		}
		if !known || info.Mode() != was.Mode() ||
			!info.IsDir() && (info.Size() != was.Size() || !info.ModTime().Equal(was.ModTime())) {
			paths = append(paths, path)
		}
		return nil
	}))
	if found < len(f.kept) {
		for path := range f.kept {
			if _, err := os.Lstat(path); err != nil {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// reset makes the home folder what it was at the beginning.
func (f faulty) reset() {
	for _, path := range f.changed() {
		f.check(os.RemoveAll(path)) // what has it open keeps its own
		switch was, known := f.kept[path]; {
		case !known:
		case was.IsDir():
			f.check(os.Mkdir(path, was.Mode().Perm()))
		default:
			f.check(os.WriteFile(path, was.data, was.Mode().Perm()))
			f.check(os.Chtimes(path, was.ModTime(), was.ModTime()))
		}
	}
}

func (f faulty) call(stdin string, args ...string) (out string, code int) {
	var buf bytes.Buffer
	defer indexer.CloseLeft()
	code = run(append([]string{"memctl"}, args...), command.Streams{In: strings.NewReader(stdin), Out: &buf, Err: &buf}.With(features()))
	return buf.String(), code
}

// callFailing is call with an operation that fails. Move runs in a process: it closes no index that it may need again,
// and in the process of another command it would wait for that one.
func (f faulty) callFailing(n int, stdin string, args ...string) (out string, code int) {
	if args[0] != "move" {
		gatetest.FailAt(f.t, n, func() { out, code = f.call(stdin, args...) })
		return out, code
	}
	command := exec.Command("memctl", args...)
	command.Env = append(os.Environ(), failAt+"="+strconv.Itoa(n))
	data, err := command.CombinedOutput()
	if !errors.As(err, new(*exec.ExitError)) {
		f.check(err)
	}
	return string(data), command.ProcessState.ExitCode()
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
		if _, err := os.Stat(f.path(root)); err != nil {
			continue
		}
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

const (
	aDecision  = "# Send events by Kafka\n\nWe decided to use Kafka for the events.\n"
	aNote      = "---\nname: Deployments need two approvals\ndescription: d\ntype: project\n---\n\nTwo people approve.\n"
	aSession   = `{"type":"user","sessionId":"s","cwd":%q}` + "\n"
	aRecord    = "# Keep invoices in MySQL\n\n## Context\n\n%s host.\n\n## Decision\n\nWe use MySQL.\n"
	aHistory   = `{"changes": [{"date": "2026-01-01T00:00:00Z", "summary": "s"}], `
	recordName = "work/docs/adr/0001-mysql.md"
)

// Whichever operation on a file fails: every memory is as it was or as it shall be, an error says what failed, what is
// reported as done is done, and the same command completes the work.
func TestAnyFileOperationMayFail(t *testing.T) {
	addOne := func(f faulty) { f.run("", "add", "preference", "Tabs, not spaces. They are wider.") }
	for _, tt := range []struct {
		name, stdin string
		args        []string
		before      func(faulty)
	}{
		{"save", decision("First of its folder"), []string{"create", "--category", "decision", "--target", "first", "--input", "-"}, nil},
		{"add", "", []string{"add", "decision", "Send mail by SMTP. The relay speaks nothing else."}, nil},
		{"update", strings.Replace(preference("Kept for good", "larger"), "{", aHistory, 1),
			[]string{"update", "--target", "kept", "--input", "-"}, func(f faulty) {
				f.run(preference("Kept for good", "small"), "create", "--category", "preference", "--target", "kept", "--input", "-")
			}},
		{"import", "", []string{"import", "markdown", "notes", "--category", "decision", "--yes"}, func(f faulty) {
			f.put("outside/notes/queue.md", aDecision)
		}},
		{"follow", "", []string{"import", "--update", "--yes"}, func(f faulty) {
			f.put(recordName, fmt.Sprintf(aRecord, "One"))
			f.run("", "import", "adr", f.path("work/docs/adr"), "--yes")
			f.put(recordName, fmt.Sprintf(aRecord, "Another"))
		}},
		{"adopt", "", []string{"adopt", "deploy"}, func(f faulty) {
			folder := "claude/projects/" + regexp.MustCompile(`[^0-9A-Za-z]`).ReplaceAllString(f.path("work"), "-")
			f.put(folder+"/s.jsonl", fmt.Sprintf(aSession, f.path("work")))
			f.put(folder+"/memory/deploy.md", aNote)
		}},
		{"reindex", "", []string{"reindex"}, addOne},
		{"move", "", []string{"move", "tabs-not-spaces", "--to", "user"}, func(f faulty) {
			f.run("", "init", "--user")
			addOne(f)
			f.run("", "list", "--scope", "user")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// add and follow do as save and update.
			if slices.Contains([]string{"add", "follow"}, tt.name) && soak(0, 1) == 0 {
				return
			}
			f := newFaulty(t)
			if tt.before != nil {
				tt.before(f)
			}
			if tt.name == "import" {
				tt.args[2] = f.path("outside/notes")
			}
			f.run("", "list")
			f.keep()
			f.failEach(tt.stdin, tt.args)
		})
	}
}

// failEach has each operation of a command fail: without MEMCTL_SOAK a third of those that change a disk. Each takes up
// to 30 ms of a processor, and there are some 3,700.
func (f faulty) failEach(stdin string, args []string) {
	t := f.t
	before := f.memories()
	if out, code := f.callFailing(0, stdin, args...); code != 0 {
		t.Fatal(out)
	}
	done, listed := f.memories(), f.sources()
	f.reset()
	operations := gatetest.Operations(t, func() { f.call(stdin, args...) })
	f.reset()
	changes, tried := 0, 0
	for n, operation := range operations {
		if operation.Changes() {
			changes++
		}
		if soak(0, 1) == 0 && (!operation.Changes() || changes%3 != 1) {
			continue
		}
		tried++
		out, code := f.callFailing(n+1, stdin, args...)
		when := fmt.Sprintf("%d, %s %s", n+1, operation.Name, strings.ReplaceAll(operation.Path, f.live, ""))
		if code != 0 && !saysWhy(out) {
			t.Errorf("%s: unclear: %s", when, out)
		}
		if code != 0 && len(f.changed()) == 0 { // nothing happened, and the command again is the one that was run above
			continue
		}
		after := f.memories()
		for name, old := range before {
			if !cmp.Equal(after[name], old) && !cmp.Equal(after[name], done[name]) && !movedWhole(name, after, done) {
				t.Errorf("%s: %s is neither old nor new:\n%s\n%s", when, name, cmp.Diff(old, after[name]), out)
			}
		}
		complete := cmp.Equal(after, done) && len(f.sources()) == len(listed)
		if code == 0 && !complete {
			t.Errorf("%s: it says that it is done:\n%s\n%s", when, out, cmp.Diff(done, after))
		}
		if !complete {
			out, code = f.callFailing(0, stdin, args...)
			if now := f.memories(); code != 0 || !cmp.Equal(now, done) || len(f.sources()) != len(listed) {
				t.Errorf("%s: not completed: %d %s\n%s\n%v", when, code, out, cmp.Diff(done, now), f.sources())
			}
		}
		f.reset()
	}
	if t.Logf("%d operations, %d change a disk, %d failed", len(operations), changes, tried); changes < 5 {
		t.Errorf("only %d operations change a disk", changes)
	}
}

// movedWhole reports whether a memory is where the change moves it, or in both places.
func movedWhole(name string, after, done map[string]any) bool {
	there := "user/" + path.Base(name)
	return after[name] == nil && done[name] == nil && cmp.Equal(after[there], done[there])
}

// saysWhy reports whether an error names a file or a folder and what is wrong.
func saysWhy(out string) bool {
	return strings.Contains(out, syscall.ENOSPC.Error()) || strings.Contains(out, syscall.EIO.Error())
}
