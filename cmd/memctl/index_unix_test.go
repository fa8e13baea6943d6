//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tests of files that a user may not read or write. Permissions do not restrict root, so
// root runs memctl as the user nobody.
const nobody = 65534

// newGuarded is a project that the user nobody can reach.
func newGuarded(t *testing.T) project {
	t.Helper()
	dir, err := os.MkdirTemp("", "memctl-guarded")
	if err != nil {
		t.Fatal(err)
	}
	p := project{t, dir}
	t.Cleanup(func() {
		p.chmod(0o755, "", "decisions")
		os.RemoveAll(dir)
	})
	p.check(os.Chmod(dir, 0o755))
	p.check(os.MkdirAll(p.path("decisions"), 0o755))
	p.put("decisions/kafka.json", "Kafka keeps the events")
	p.put("decisions/redis.json", "Redis keeps the cache")
	return p
}

func (p project) chmod(mode os.FileMode, paths ...string) {
	p.t.Helper()
	for _, path := range paths {
		p.check(os.Chmod(p.path(path), mode))
	}
}

// guest runs a command as a user whom permissions restrict.
func (p project) guest(stdin string, args ...string) (stdout, stderr string) {
	p.t.Helper()
	cmd, out, errOut := p.guestCommand(stdin, args...)
	if err := cmd.Run(); err != nil {
		p.t.Fatalf("memctl %s: %v\n%s", strings.Join(args, " "), err, errOut.String())
	}
	return out.String(), errOut.String()
}

func (p project) guestCommand(stdin string, args ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	p.t.Helper()
	cmd, out, errOut = process(p.dir, stdin, args...)
	cmd.Env = append(cmd.Environ(), "XDG_STATE_HOME="+filepath.Join(os.Getenv("TMPDIR"), "state of a guest"))
	if os.Getuid() == 0 {
		cmd.Path = p.reachable(cmd.Path)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd, out, errOut
}

// reachable links the binary to a place where the user nobody may run it.
func (p project) reachable(binary string) string {
	p.t.Helper()
	path := filepath.Join(p.dir, "memctl")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	p.check(os.Link(binary, path))
	return path
}

// guestWants is like wants, for a guest.
func (p project) guestWants(word string, want ...string) {
	p.t.Helper()
	out, errOut := p.guest(event("what about "+word), "hook", "user-prompt-submit")
	if diff := cmp.Diff(want, titles(readHookAnswer(p.t, out).Specific.Context)); diff != "" {
		p.t.Errorf("%s (-want +got):\n%s", word, diff)
	}
	if out != "" && errOut != "" {
		p.t.Errorf("stderr: %s", errOut)
	}
}

func TestReadOnlyRootIsAnswered(t *testing.T) {
	t.Parallel()
	tests := map[string]func(p project){
		"no index":      func(project) {},
		"a fresh index": func(p project) { p.age(); p.hook("make an index") },
		"a young index": func(p project) { p.hook("make an index") },
		"a stale index": func(p project) {
			p.hook("make an index")
			p.put("decisions/kafka.json", "Redis, once")
			p.hook("now")
			p.put("decisions/kafka.json", "Kafka keeps the events")
		},
		"a fresh index without its locks": func(p project) {
			p.age()
			p.hook("make an index")
			p.check(os.Remove(p.index() + ".lock"))
			p.check(os.RemoveAll(p.index() + ".build.lock"))
		},
		"a broken index": func(p project) { p.breakIndex([]byte("broken")) },
		"an index that may not be read": func(p project) {
			p.hook("make an index")
			p.check(os.Chmod(p.index(), 0))
		},
		"an index whose log was not merged": func(p project) {
			p.hook("make an index")
			p.check(os.WriteFile(p.index()+"-wal", []byte("log"), 0o644))
		},
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			p := newGuarded(t)
			prepare(p)
			p.chmod(0o555, "", "decisions")
			before := p.listing()
			p.guestWants("kafka", "Kafka keeps the events")
			if diff := cmp.Diff(before, p.listing()); diff != "" {
				t.Errorf("the root was written (-before +after):\n%s", diff)
			}
		})
	}
}

// If the index is up to date, memctl uses it and does not build one in memory.
func TestFreshIndexInReadOnlyRootIsUsed(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.age()
	p.hook("make an index")
	p.chmod(0o555, "", "decisions")
	p.guest("{}", "hook", "session-start") // announces the memories
	if out, errOut := p.guest("{}", "hook", "session-start"); strings.Contains(out, "index") || errOut != "" {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
}

func TestDoctorInReadOnlyRoot(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.check(os.WriteFile(p.path("memory-config.json"), []byte("{}"), 0o644))
	p.hook("make an index")
	p.put("decisions/kafka.json", "Kafka changed since")
	p.chmod(0o555, "", "decisions")
	cmd, out, errOut := p.guestCommand("", "doctor")
	err := cmd.Run()
	for _, want := range []string{
		`(?m)^failed +folders +no memory can be saved: .*/decisions: permission denied$`,
		`(?m)^ +fix: chmod u\+rwx /.*/decisions, or make its file system writable$`,
		`(?m)^warning +index +`,
		`(?m)^ +fix: make .claude/memory writable, and check that no memctl hangs$`,
	} {
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if fmt.Sprint(err) != "exit status 1" || errOut.Len() > 0 {
		t.Errorf("%v, stderr %q", err, errOut)
	}
}

// listing is the root's entries with their modes and times.
func (p project) listing() map[string]string {
	p.t.Helper()
	entries, err := os.ReadDir(p.path())
	p.check(err)
	list := map[string]string{}
	for _, entry := range entries {
		info, err := entry.Info()
		p.check(err)
		list[entry.Name()] = info.Mode().String() + info.ModTime().String()
	}
	return list
}

func TestReadOnlyRootIsReportedAtSessionStart(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.chmod(0o555, "", "decisions")
	out, errOut := p.guest("{}", "hook", "session-start")
	answer := readHookAnswer(t, out)
	if !strings.Contains(answer.Message, "is not writable") || strings.Contains(answer.Specific.Context, "is not writable") {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
}

// A chmod leaves mtimes as they are, so memctl must try the file again each time.
func TestUnreadableFileComesBackWhenReadable(t *testing.T) {
	t.Parallel()
	for _, aged := range []bool{false, true} {
		p := newGuarded(t)
		if aged {
			p.age()
		}
		p.chmod(0o777, "")
		p.chmod(0o000, "decisions/kafka.json")
		for range 2 {
			p.guestWants("kafka")
			p.guestWants("redis", "Redis keeps the cache")
		}
		out, _ := p.guest("{}", "hook", "session-start")
		if !strings.Contains(out, "decisions/kafka.json") || !strings.Contains(out, "permission denied") {
			t.Errorf("session-start does not name the file and its reason: %q", out)
		}
		p.chmod(0o644, "decisions/kafka.json")
		p.guestWants("kafka", "Kafka keeps the events")
		if out, _ := p.guest("{}", "hook", "session-start"); strings.Contains(out, "kafka.json") {
			t.Errorf("session-start still says %q", out)
		}
	}
}

func TestUnreadableFolderComesBackWhenReadable(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.check(os.MkdirAll(p.path("runbooks"), 0o755))
	p.put("runbooks/kafka.json", "Kafka runbook")
	p.chmod(0o777, "")
	for _, mode := range []os.FileMode{0o000, 0o444} { // cannot be listed; can be listed, but its files cannot be opened
		p.chmod(mode, "decisions")
		p.guestWants("kafka", "Kafka runbook")
		out, _ := p.guest("{}", "hook", "session-start")
		if !strings.Contains(out, "decisions") {
			t.Errorf("mode %v: session-start does not name the folder: %q", mode, out)
		}
		p.chmod(0o755, "decisions")
		p.guestWants("kafka", "Kafka keeps the events", "Kafka runbook")
	}
}

// The agent gets nothing, the person is told.
func TestUnreadableConfigSilencesTheHook(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.check(os.WriteFile(p.path("memory-config.json"), []byte("{}"), 0o000))
	out, errOut := p.guest(event("what about kafka"), "hook", "user-prompt-submit")
	answer := readHookAnswer(t, out)
	if answer.Specific.Context != "" || !strings.Contains(answer.Message, "memory-config.json: permission denied") {
		t.Errorf("stdout %q", out)
	}
	if strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "memory-config.json") {
		t.Errorf("stderr %q", errOut)
	}
}

// A change that cannot be written names its file.
func TestARefusedWriteNamesItsFile(t *testing.T) {
	t.Parallel()
	p := newGuarded(t)
	p.chmod(0o777, "")
	p.chmod(0o555, "decisions")
	for path, args := range map[string][]string{
		"decisions/cuid-sorts-by-time.json": {"add", "decision", "CUID sorts by time"},
		"decisions/kafka.json":              {"retire", "kafka", "--reason", "done"},
	} {
		cmd, _, errOut := p.guestCommand("", args...)
		want := "error: write .claude/memory/" + path + ": permission denied\n"
		if err := cmd.Run(); err == nil || !strings.Contains(errOut.String(), want) {
			t.Errorf("%v: %v\n%s", args, err, errOut)
		}
	}
}
