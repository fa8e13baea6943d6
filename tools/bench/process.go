package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// process is a program to run, and what it does when it works.
type process struct {
	command []string
	stdin   []byte
	event   map[string]any // of a hook, on its stdin; each run is a session of its own
	stdout  string         // part of what it prints; "" for anything
	env     []string       // besides that of the bed
}

// run runs a process in the bench's own folder, home and temporary folder.
func (b *bed) run(p process) (sample, error) {
	if p.event != nil {
		b.sessions++
		event := maps.Clone(p.event)
		event["session_id"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", b.sessions)
		var err error
		if p.stdin, err = json.Marshal(event); err != nil {
			return sample{}, err
		}
	}
	cmd := exec.CommandContext(b.ctx, p.command[0], p.command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, append(slices.Clip(b.env), p.env...), bytes.NewReader(p.stdin)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	state := cmd.ProcessState
	if state == nil {
		return sample{}, err
	}
	if state.ExitCode() != 0 || !strings.Contains(out.String(), p.stdout) {
		return sample{}, fmt.Errorf("%s: exit status %d, expected 0 and %q in %q\n%s",
			strings.Join(p.command, " "), state.ExitCode(), p.stdout, out.String(), messages.String())
	}
	return sample{cpu: milliseconds(state.UserTime() + state.SystemTime()), wall: milliseconds(wall)}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// buildOpen builds the yardstick.
func (b *bed) buildOpen() error {
	cmd := exec.CommandContext(b.ctx, "go", "build", "-o", b.open, "memctl/tools/bench/open")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
