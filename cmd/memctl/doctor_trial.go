package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/text"
)

// What the client sends to each hook, and a project for it to be about. PROJECT
// stands for the project's path.
//
//go:embed trial
var trialFiles embed.FS

// trialTime is how long a hook or the server may take; the client gives it as much.
const trialTime = 10 * time.Second

// trial is a project made to run the hooks on. It has a home and a temporary
// folder of its own, so that nothing of the user's is read or written.
type trial struct{ dir, self string }

// result is what a hook did.
type result struct {
	stdout, stderr string
	code           int
	took           time.Duration
}

// tries say what each hook has to do there, in the order of a session.
var tries = []struct {
	hook, does string
	check      func(trial, result) error
}{
	{"session-start", "said that it made the index", trial.checkSessionStart},
	{"user-prompt-submit", "injected a memory", trial.checkPrompt},
	{"pre-tool-use", "denied a write", trial.checkDenied},
	{"post-tool-use", "set an invalid memory aside", trial.checkSetAside},
	{"stop", "blocked, with something to save", trial.checkStop},
}

// tryHooks runs every hook of this program once.
func (d *diagnosis) tryHooks(ctx context.Context, t trial) {
	for _, try := range tries {
		name := "hook " + try.hook
		r, err := t.runHook(ctx, try.hook)
		if err == nil {
			err = try.check(t, r)
		}
		if err != nil {
			d.fail(name, "install memctl anew; if that does not help, report this line", "%v%s", err, saying(r.stderr))
			continue
		}
		d.ok(name, "%s (%d ms)", try.does, r.took.Milliseconds())
	}
}

func saying(stderr string) string {
	if stderr == "" {
		return ""
	}
	return "; it said: " + text.Brief(stderr)
}

func newTrial(self string) (trial, error) {
	dir, err := os.MkdirTemp("", "memctl-doctor-")
	if err != nil {
		return trial{}, err
	}
	t := trial{dir, self}
	err = errors.Join(
		os.MkdirAll(t.memories(), 0o755),
		os.Mkdir(t.temp(), 0o700),
		t.put("memory.json", filepath.Join(t.memories(), "trial-queue.json")),
		t.put("transcript.jsonl", filepath.Join(t.project(), "transcript.jsonl")),
	)
	if err != nil {
		os.RemoveAll(dir)
	}
	return t, err
}

// The project lies in the home: transcripts are read only there.
func (t trial) home() string    { return filepath.Join(t.dir, "home") }
func (t trial) project() string { return filepath.Join(t.home(), "project") }
func (t trial) temp() string    { return filepath.Join(t.dir, "tmp") }

func (t trial) memories() string {
	return filepath.Join(t.project(), filepath.FromSlash(memdir.RootPath), "decisions")
}

func (t trial) invalid() string { return filepath.Join(t.memories(), "half.json") }

func (t trial) put(name, path string) error {
	data, err := trialFiles.ReadFile("trial/" + name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func (t trial) runHook(ctx context.Context, hook string) (result, error) {
	event, err := t.event(hook)
	if err != nil {
		return result{}, err
	}
	if hook == "post-tool-use" { // as if past the guard
		if err := os.WriteFile(t.invalid(), []byte(`{"title": "Half`), 0o600); err != nil {
			return result{}, err
		}
	}
	return t.run(ctx, event, "hook", hook)
}

// run runs this program in the project of the trial.
func (t trial) run(ctx context.Context, input []byte, args ...string) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.self, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = t.project(), t.environment(), bytes.NewReader(input)
	cmd.WaitDelay = time.Second
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	start := time.Now()
	err := cmd.Run()
	r := result{out.String(), errOut.String(), cmd.ProcessState.ExitCode(), time.Since(start)}
	if ctx.Err() != nil {
		return r, fmt.Errorf("it did not end within %v", trialTime)
	}
	if errors.As(err, new(*exec.ExitError)) {
		err = nil // the check knows
	}
	return r, err
}

func (t trial) event(hook string) ([]byte, error) {
	event, err := trialFiles.ReadFile("trial/" + hook + ".json")
	if err != nil {
		return nil, err
	}
	quoted, err := json.Marshal(t.project())
	return bytes.ReplaceAll(event, []byte("PROJECT"), bytes.Trim(quoted, `"`)), err
}

// environment is this process's, with everything of the user's that a hook looks
// at replaced.
func (t trial) environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "MEMCTL_") && !strings.HasPrefix(variable, "CLAUDE_") {
			env = append(env, variable)
		}
	}
	env = append(env, "CLAUDE_PROJECT_DIR="+t.project())
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		env = append(env, name+"="+t.temp())
	}
	return append(env, "HOME="+t.home(), "USERPROFILE="+t.home())
}
