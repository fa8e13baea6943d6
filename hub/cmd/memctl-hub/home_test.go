package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memctl/files/systemtest"
	"memctl/hub"
	"memctl/hub/hubtest"
)

// soak returns full if MEMCTL_SOAK is set, as "make soak" does, and few otherwise: sizes
// and repetitions of tests that take minutes at full size.
func soak(few, full int) int {
	if os.Getenv("MEMCTL_SOAK") != "" {
		return full
	}
	return few
}

// memctl builds the program memctl, which is of the module around this one.
var memctl = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "bin")
	if err != nil {
		return "", err
	}
	program := filepath.Join(folder, "memctl.exe") // a suffix that no system minds
	build := exec.Command("go", "build", "-C", "../../..", "-tags", "urfave_cli_no_docs", "-ldflags", "-s -w",
		"-o", program, "./cmd/memctl")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

// home is the home folder of a user of memctl.
type home struct {
	t   *testing.T
	dir string
	env []string
}

func newHome(t *testing.T) home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return home{t, dir, append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"MEMCTL_ROOT=", "MEMCTL_USER_ROOT=", "CLAUDE_PROJECT_DIR=", "CLAUDECODE=", "GIT_CONFIG_NOSYSTEM=1")}
}

// newHubHome is a home folder whose hub has a database, as its owner. It also returns the
// connection string of the service.
func newHubHome(t *testing.T) (h home, service string) {
	t.Helper()
	owner, service := hubtest.Database(t, hub.Migrate)
	h = newHome(t)
	h.env = append(h.env, dsnVariable+"="+owner)
	return h, service
}

// command is memctl in a folder of the home.
func (h home) command(project string, args ...string) *exec.Cmd {
	h.t.Helper()
	program, err := memctl()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = filepath.Join(h.dir, project), h.env
	if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	return cmd
}

// try runs memctl and returns what it prints and its exit status.
func (h home) try(project string, args ...string) (stdout, stderr string, code int) {
	h.t.Helper()
	cmd := h.command(project, args...)
	var out, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	return out.String(), messages.String(), cmd.ProcessState.ExitCode()
}

// run runs memctl, which must be done, and returns what it prints.
func (h home) run(project string, args ...string) string {
	h.t.Helper()
	out, messages, code := h.try(project, args...)
	if code != 0 {
		h.t.Fatalf("memctl %s: %d\n%s", strings.Join(args, " "), code, messages)
	}
	return out
}

func (h home) write(name, content string) {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		h.t.Fatal(err)
	}
}

// writeProgram writes a shell script into the folder bin.
func (h home) writeProgram(name, script string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Join(h.dir, "bin"), 0o755); err != nil {
		h.t.Fatal(err)
	}
	systemtest.WriteProgram(h.t, filepath.Join(h.dir, "bin", name), "#!/bin/sh\n"+script+"\n")
}

// clone makes a git repository with a remote.
func (h home) clone(name, remoteURL string) {
	h.t.Helper()
	h.git(name, "init", "-q", "-b", "main")
	h.git(name, "remote", "add", "origin", remoteURL)
}

func (h home) git(project string, args ...string) string {
	h.t.Helper()
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

// preferenceFile is a memory file whose content has VALUE in one place.
func preferenceFile(id, title string) string {
	return fmt.Sprintf(`{"schema_version": "1.0", "category": "preference", "id": %q, "title": "%s", "record_status": "active",
		"created_at": "2026-10-01T08:00:00Z", "updated_at": "2026-10-01T08:00:00Z", "tags": ["keys"], "related_files": [], "confidence": 0.9,
		"content": {"topic": %q, "value": "VALUE", "reason": "r", "strength": "soft", "examples": {"prefer": [], "avoid": []}}, "changes": [], "times_updated": 0}`, id, title, id)
}

const privateNote = "Keys rotate. <private>the vault is at 10.0.0.7</private> Token: ghp_0123456789abcdefghijABCDEFGHIJ012345"

func decode(t *testing.T, out string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
}

// listen starts a server and returns its address.
func (h home) listen(server *exec.Cmd) string {
	h.t.Helper()
	log, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { server.Process.Kill() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() {
				for lines.Scan() { // or it would wait for a reader
				}
			}()
			return line.Address
		}
		h.t.Log(lines.Text())
	}
	h.t.Fatal("memctl-hub serve does not listen")
	return ""
}
