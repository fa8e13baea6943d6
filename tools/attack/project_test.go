//go:build attack && linux

package attack

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// The limits of a hook: memctl's own deadlines, and the time in which a loaded machine
// starts and ends a process.
const (
	slack         = time.Second
	hookLimit     = 2*time.Second + slack
	sessionLimit  = 8*time.Second + slack
	fullDiskLimit = 500*time.Millisecond + slack
	memoryLimit   = 64 << 20 // bytes, the peak of resident memory
)

// project is a project with a memory root, in a temporary home.
type project struct {
	ctx         context.Context
	memctl, dir string
	sessions    int      // that have had a prompt
	folder      string   // in which programs run, below dir; "" for the project's
	env         []string // further variables of theirs
}

func newProject(ctx context.Context, memctl, dir string) (*project, error) {
	p := &project{ctx: ctx, memctl: memctl, dir: dir}
	for _, folder := range []string{"home", "tmp", "work"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			return nil, err
		}
	}
	if r := p.run(nil, "init"); r.err != nil {
		return nil, r.err
	}
	return p, p.write("decisions/kafka.json", memory("decision", "kafka", "Kafka keeps events for 14 days", "kafka"))
}

// path is the path of a file below the memory root.
func (p *project) path(name string) string {
	return filepath.Join(p.dir, "work", ".claude", "memory", filepath.FromSlash(name))
}

func (p *project) write(name, data string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(p.path(name)), 0o755), os.WriteFile(p.path(name), []byte(data), 0o644))
}

// memory renders a memory file with the content of a decision. The index takes any
// content.
func memory(category, id, title string, tags ...string) string {
	data, _ := json.Marshal(map[string]any{
		"schema_version": "1.0", "category": category, "id": id, "title": title, "record_status": "active",
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "tags": tags, "times_updated": 0,
		"content": map[string]any{"status": "accepted", "context": "c", "decision": "d", "rationale": []string{"r"}},
	})
	return string(data)
}

// result is how a process ended.
type result struct {
	out, messages string
	code          int
	took          time.Duration
	peak          int64 // bytes
	err           error // it could not be run, or did not end with 0
}

// run runs memctl in the project, for at most a minute.
func (p *project) run(stdin []byte, args ...string) result {
	return p.program(stdin, p.memctl, args...)
}

func (p *project) program(stdin []byte, program string, args ...string) result {
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = filepath.Join(p.dir, cmp.Or(p.folder, "work"))
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(p.dir, "home"), "TMPDIR=" + filepath.Join(p.dir, "tmp")}, p.env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	cmd.WaitDelay = time.Second
	forgetPeak()
	start := time.Now()
	err := cmd.Run()
	r := result{out: out.String(), messages: messages.String(), took: time.Since(start), err: err}
	if cmd.ProcessState != nil {
		r.code = cmd.ProcessState.ExitCode()
		r.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	}
	if err != nil {
		r.err = fmt.Errorf("memctl %s: %w: %.300s", strings.Join(args, " "), err, r.messages)
	}
	return r
}

// forgetPeak makes the peak of this process's memory what it needs now: Linux counts it
// as a peak of each child too.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // else peaks are only too large
}

// event is what the client sends to a hook.
func (p *project) event(more map[string]any) []byte {
	event := map[string]any{
		"session_id": "5b2b1f0e-0000-4000-8000-000000000001", "cwd": filepath.Join(p.dir, "work"),
		"transcript_path": filepath.Join(p.dir, "home", "transcript.jsonl"),
	}
	for key, value := range more {
		event[key] = value
	}
	data, _ := json.Marshal(event)
	return data
}

// hooks are the hooks with an event for each.
var hooks = []struct {
	name  string
	event map[string]any
	limit time.Duration
}{
	{"user-prompt-submit", map[string]any{"prompt": "how long does kafka keep events?"}, hookLimit},
	{"pre-tool-use", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": "README.md"}}, hookLimit},
	{"post-tool-use", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make test"}, "tool_response": map[string]any{"stdout": strings.Repeat("all tests pass, none is slow\n", 2000)}}, hookLimit},
	{"post-tool-use-failure", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make"}, "error": "Exit code 2"}, hookLimit},
	{"stop", map[string]any{"last_assistant_message": strings.Repeat("We decided to keep Kafka because it is simple.\n", 500)}, hookLimit},
	{"session-start", map[string]any{"source": "startup"}, sessionLimit},
}

// everyHook runs every hook and checks its status, time and memory.
func (p *project) everyHook() error {
	transcript := `{"type":"user","message":{"role":"user","content":"keep kafka"}}` + "\n"
	if err := os.WriteFile(filepath.Join(p.dir, "home", "transcript.jsonl"), []byte(transcript), 0o600); err != nil {
		return err
	}
	for _, hook := range hooks {
		if _, err := p.hook(hook.name, hook.event, hook.limit); err != nil {
			return err
		}
	}
	return nil
}

// hook runs one hook and checks its status, time and memory.
func (p *project) hook(name string, event map[string]any, limit time.Duration) (result, error) {
	r := p.run(p.event(event), "hook", name)
	switch {
	case r.code != 0:
		return r, fmt.Errorf("hook %s: exit status %d: %.300s", name, r.code, r.messages)
	case r.took > limit:
		return r, fmt.Errorf("hook %s: took %v of %v", name, r.took.Round(time.Millisecond), limit)
	case r.peak > memoryLimit:
		return r, fmt.Errorf("hook %s: took %d MiB of %d", name, r.peak>>20, memoryLimit>>20)
	}
	return r, nil
}

// prompt runs the prompt hook with words that find the project's memory, each time in a new
// session: one gets a memory once.
func (p *project) prompt() (result, error) {
	p.sessions++
	session := fmt.Sprintf("5b2b1f0e-0000-4000-8000-1%011d", p.sessions)
	return p.hook("user-prompt-submit",
		map[string]any{"session_id": session, "prompt": "how long does kafka keep events?"}, hookLimit)
}

// finds is prompt, and checks that the memory reaches the agent.
func (p *project) finds() error {
	r, err := p.prompt()
	if err == nil && !strings.Contains(r.out, ": Kafka keeps events") {
		err = fmt.Errorf("the prompt found nothing: %q, %.300s", r.out, r.messages)
	}
	return err
}
