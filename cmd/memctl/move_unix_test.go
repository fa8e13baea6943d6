//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"memctl/cmd/command"
)

// twoRoots are a home folder with the user's root, and a project in it.
type twoRoots struct {
	t             *testing.T
	home, project string
}

// newTwoRoots saves a memory "kept" in the root of a scope, and another in each.
func newTwoRoots(t *testing.T, scope string) twoRoots {
	t.Helper()
	home := t.TempDir()
	r := twoRoots{t, home, filepath.Join(home, "project")}
	if err := os.Mkdir(r.project, 0o755); err != nil {
		t.Fatal(err)
	}
	r.run("init")
	r.run("init", "--user")
	for _, other := range command.Scopes {
		r.run("add", "decision", "Neighbour of "+other, "--scope", other)
	}
	r.run("add", "preference", "Kept", "--scope", scope, "--reason", strings.Repeat("many pages ", 2000))
	return r
}

// clone returns a copy of both roots.
func (r twoRoots) clone(t *testing.T) twoRoots {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(r.home)); err != nil {
		t.Fatal(err)
	}
	return twoRoots{t, home, filepath.Join(home, "project")}
}

func (r twoRoots) command(args ...string) *exec.Cmd {
	cmd := exec.Command("memctl", args...)
	cmd.Dir = r.project
	cmd.Env = append(os.Environ(), "HOME="+r.home, "XDG_STATE_HOME="+filepath.Join(r.home, "state"),
		"MEMCTL_ROOT=", "MEMCTL_USER_ROOT=", "CLAUDE_PROJECT_DIR=")
	return cmd
}

func (r twoRoots) run(args ...string) {
	r.t.Helper()
	if out, err := r.command(args...).CombinedOutput(); err != nil {
		r.t.Fatalf("memctl %v: %v: %s", args, err, out)
	}
}

// path returns a path in the root of a scope.
func (r twoRoots) path(scope, below string) string {
	if scope == "user" {
		return filepath.Join(r.home, ".claude/memory", below)
	}
	return filepath.Join(r.project, ".claude/memory", below)
}

// places returns the scopes whose roots have the memory. It has to be whole there.
func (r twoRoots) places() (found []string) {
	r.t.Helper()
	for _, scope := range command.Scopes {
		data, err := os.ReadFile(r.path(scope, "preferences/kept.json"))
		if os.IsNotExist(err) {
			continue
		}
		var doc map[string]any
		if err != nil || json.Unmarshal(data, &doc) != nil || doc["title"] != "Kept" || !bytes.Contains(data, []byte("many pages")) {
			r.t.Errorf("%s: the memory is broken (%v)", scope, err)
		}
		found = append(found, scope)
	}
	return found
}

// If a move is killed at any step, the memory is whole in one root or in both. Other
// commands leave it so, and the next move completes it.
func TestKilledMoveIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	others := [][]string{
		{"list"}, {"list", "--user"},
		{"add", "decision", "Another one"}, {"add", "decision", "Another one", "--user"},
	}
	for to, from := range map[string]string{"user": "project", "project": "user"} {
		original := newTwoRoots(t, from)
		for turn := range soak(1, len(others)) {
			t.Run(fmt.Sprintf("to %s, %d", to, turn), func(t *testing.T) {
				t.Parallel()
				both := 0
				for step := 1; ; step++ {
					r := original.clone(t)
					cmd := r.command("move", "kept", "--to", to)
					cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", killAt, step))
					out, err := cmd.CombinedOutput()
					if err == nil {
						if step < 5 || both == 0 {
							t.Errorf("only %d steps, %d with the memory in both roots", step-1, both)
						}
						return
					}
					if cmd.ProcessState.ExitCode() != -1 {
						t.Fatalf("step %d: %v: %s", step, err, out)
					}
					found := r.places()
					if len(found) == 2 {
						both++
					}
					other := others[(step+turn)%len(others)]
					r.run(other...)
					if after := r.places(); !slices.Equal(after, found) {
						t.Errorf("killed at step %d: in %v, after %v in %v", step, found, other, after)
					}
					r.run("move", "kept", "--to", to)
					if after := r.places(); len(after) != 1 || after[0] != to {
						t.Errorf("killed at step %d, then moved: in %v", step, after)
					}
					r.hasNoRemains(step)
				}
			})
		}
	}
}

// hasNoRemains checks that a command that reads each root leaves nothing of a move there.
func (r twoRoots) hasNoRemains(step int) {
	r.t.Helper()
	for _, scope := range command.Scopes {
		r.run("list", "--scope", scope)
		for _, pattern := range []string{".memctl-*", "*/.memctl-*"} {
			if left, _ := filepath.Glob(r.path(scope, pattern)); len(left) > 0 {
				r.t.Errorf("killed at step %d: left %v", step, left)
			}
		}
	}
}

// Processes that move one memory at once, in one direction or in both, leave it in one
// root. They do not wait for each other forever.
func TestMovesAtOnce(t *testing.T) {
	t.Parallel()
	for name, targets := range map[string][]string{"one way": {"user", "user", "user"}, "both ways": {"user", "project", "user", "project"}} {
		t.Run(name, func(t *testing.T) {
			original := newTwoRoots(t, "project")
			for range soak(2, 4) {
				r := original.clone(t)
				var all sync.WaitGroup
				for _, to := range targets {
					all.Go(func() {
						cmd := r.command("move", "kept", "--to", to)
						var out, errOut bytes.Buffer
						cmd.Stdout, cmd.Stderr = &out, &errOut
						// A process may look for the memory while another one moves it.
						if err := cmd.Run(); err != nil && !strings.Contains(errOut.String(), noSuchMemory) {
							t.Errorf("to %s: %v: %s", to, err, errOut.String())
						}
					})
				}
				all.Wait()
				if found := r.places(); len(found) != 1 || name == "one way" && found[0] != "user" {
					t.Errorf("in %v", found)
				}
				r.hasNoRemains(0)
			}
		})
	}
}

const noSuchMemory = "there is no such memory"

// A memory of the target that appears during the move is not replaced.
func TestMoveAndAddAtOnce(t *testing.T) {
	t.Parallel()
	original := newTwoRoots(t, "project")
	for range 6 {
		r := original.clone(t)
		var all sync.WaitGroup
		all.Go(func() { _ = r.command("move", "kept", "--to", "user").Run() })
		all.Go(func() {
			_ = r.command("add", "preference", "Kept", "--user", "--anyway", "--reason", "many pages, another memory").Run()
		})
		all.Wait()
		switch found := r.places(); {
		case len(found) == 2: // the move was refused
		case len(found) == 1 && found[0] == "user": // the new memory was refused
		default:
			t.Errorf("in %v", found)
		}
		if one, err := os.ReadFile(r.path("user", "preferences/kept.json")); err != nil || bytes.Contains(one, []byte("another memory")) != (len(r.places()) == 2) {
			t.Errorf("the user's memory: %v: %.300s", err, one)
		}
	}
}
