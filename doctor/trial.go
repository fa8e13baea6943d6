package doctor

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

// trialFiles are the events that the client sends to each hook, and the files of the
// project that they are about. PROJECT stands for the project's path.
//
//go:embed trial
var trialFiles embed.FS

// trialTimeout limits the run of a hook or the server. The client's limit is the same.
const trialTimeout = 10 * time.Second

// reinstall is the fix for a program that does not work.
const reinstall = "reinstall memctl; if that does not help, report this line"

// trial is a project for running the hooks. It has its own home and temporary folder,
// so that the runs neither read nor write files of the user.
type trial struct{ dir, program string }

// result is what a run did.
type result struct {
	stdout, stderr string
	exitStatus     int
	took           time.Duration
}

func newTrial(program string) (trial, error) {
	dir, err := os.MkdirTemp("", "memctl-doctor-")
	if err != nil {
		return trial{}, err
	}
	t := trial{dir, program}
	err = errors.Join(
		os.MkdirAll(t.memories(), 0o755),
		os.Mkdir(t.temp(), 0o700),
		t.put("memory.json", filepath.Join(t.memories(), "trial-queue.json")),
		t.put("transcript.jsonl", filepath.Join(t.project(), "transcript.jsonl")),
	)
	if err != nil {
		t.remove()
	}
	return t, err
}

func (t trial) remove() { os.RemoveAll(t.dir) }

// The project is in the home folder because transcripts are read only there.
func (t trial) home() string    { return filepath.Join(t.dir, "home") }
func (t trial) project() string { return filepath.Join(t.home(), "project") }
func (t trial) temp() string    { return filepath.Join(t.dir, "tmp") }

func (t trial) memories() string {
	return filepath.Join(t.project(), filepath.FromSlash(memdir.RootPath), "decisions")
}

func (t trial) invalidMemory() string { return filepath.Join(t.memories(), "half.json") }

func (t trial) put(name, path string) error {
	data, err := trialFiles.ReadFile("trial/" + name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// tryHooks runs every hook of this program once.
func (e *examination) tryHooks(ctx context.Context, t trial) {
	for _, h := range hookTrials {
		name := "hook " + h.name
		r, err := t.runHook(ctx, h.name)
		if err == nil {
			err = h.check(t, r)
		}
		if err != nil {
			e.fail(name, reinstall, "%v%s", err, quoteStderr(r.stderr))
			continue
		}
		e.ok(name, "%s (%d ms)", h.done, r.took.Milliseconds())
	}
}

func quoteStderr(stderr string) string {
	if stderr == "" {
		return ""
	}
	return "; it said: " + text.Brief(stderr)
}

func (t trial) runHook(ctx context.Context, name string) (result, error) {
	event, err := t.event(name)
	if err != nil {
		return result{}, err
	}
	if name == "post-tool-use" { // as if a tool had written it past the guard
		if err := os.WriteFile(t.invalidMemory(), []byte(`{"title": "Half`), 0o600); err != nil {
			return result{}, err
		}
	}
	return t.run(ctx, event, "hook", name)
}

// run runs the program in the project.
func (t trial) run(ctx context.Context, input []byte, args ...string) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = t.project(), t.environment(), bytes.NewReader(input)
	cmd.WaitDelay = time.Second
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	start := time.Now()
	err := cmd.Run()
	r := result{out.String(), errOut.String(), cmd.ProcessState.ExitCode(), time.Since(start)}
	if ctx.Err() != nil {
		return r, fmt.Errorf("it did not end within %v", trialTimeout)
	}
	if errors.As(err, new(*exec.ExitError)) {
		err = nil // the trial's check compares the exit status
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

// environment is that of this process, with the variables that hooks read replaced.
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
