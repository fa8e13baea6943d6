package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/answers"
	"memctl/hooklog"
	"memctl/memdir"
)

// hookLog is the path of a project's log, and the staging folder made for it.
func (p project) hookLog() string {
	p.t.Helper()
	root, err := memdir.At(p.dir)
	p.check(err)
	p.check(os.MkdirAll(root.Staging(), 0o700))
	p.t.Cleanup(func() { os.RemoveAll(root.Staging()) })
	return filepath.Join(root.Staging(), hooklog.Name)
}

func (p project) hookRuns() []hooklog.Entry {
	p.t.Helper()
	root, err := memdir.At(p.dir)
	p.check(err)
	entries, err := hooklog.Read(root)
	p.check(err)
	return entries
}

// 16 at once, at the moment when the log is full: it starts anew, and every run
// is in the new one or the old one.
func TestHookLogIsBoundedAndWhole(t *testing.T) {
	const full, writers, runs = 256 << 10, 16, 8
	p := newProject(t)
	old := hooklog.Entry{Time: time.Now(), Hook: "stop", Outcome: hooklog.OK}.Line()
	path := p.hookLog()
	before := full/len(old) - writers*runs/4
	p.check(os.WriteFile(path, bytes.Repeat([]byte(old), before), 0o600))
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range runs {
				cmd, _, errOut := command(p.dir, toolEvent("main.go"), "hook", "pre-tool-use")
				if err := cmd.Run(); err != nil || errOut.Len() > 0 {
					t.Errorf("%v: %s", err, errOut)
				}
			}
		})
	}
	group.Wait()
	counts := map[string]int{}
	for _, e := range p.hookRuns() {
		counts[e.Hook]++
	}
	if counts["stop"] != before || counts["pre-tool-use"] != writers*runs || len(counts) != 2 {
		t.Errorf("the log holds %v, want %d and %d", counts, before, writers*runs)
	}
	turned, err := os.Stat(path + ".1")
	p.check(err)
	current, err := os.Stat(path)
	if err == nil && (turned.Size() > 2*full || current.Size() > full) {
		t.Errorf("%d and %d bytes", turned.Size(), current.Size())
	}
}

// However a hook ends, the client goes on and the log says so; a panic is not
// quoted, for it may hold anything.
func TestHookThatFailsIsLogged(t *testing.T) {
	tests := map[string]struct {
		hook    answers.Func
		outcome hooklog.Outcome
		reason  string
		stderr  string
		code    int
	}{
		"a panic": {
			func(context.Context, *answers.Call) error { panic("my secret") },
			hooklog.Failed, "internal error: panic with a string; MEMCTL_LOG has more", "memctl: internal error: my secret\n", 0,
		},
		"a bug": {
			func(context.Context, *answers.Call) error {
				var none []int
				_ = none[len(none)]
				return nil
			},
			hooklog.Failed, "internal error: runtime error: index out of range [0] with length 0", "memctl: internal error: runtime error: index out of range [0] with length 0\n", 0,
		},
		"an error after output": {
			func(_ context.Context, c *answers.Call) error {
				fmt.Fprint(c.Std.Out, "half a context")
				return errors.New("the disk is gone")
			},
			hooklog.Failed, "the disk is gone", "memctl: the disk is gone\n", 0,
		},
		"a reason to be silent": {
			func(context.Context, *answers.Call) error { return fmt.Errorf("asked: %w", errNoMatch) },
			hooklog.Silent, "asked: " + errNoMatch.Error(), "memctl: asked: no memory matches the prompt\n", 0,
		},
		"a block": {
			func(context.Context, *answers.Call) error { return &answers.Blocked{Ask: "save this"} },
			hooklog.Blocked, "", "save this", 2,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.hookLog()
			var out, errOut bytes.Buffer
			run := answers.Start([]string{"memctl", "hook", "trial", "--root", p.dir}, streams{In: strings.NewReader(event("hello")), Out: &out, Err: &errOut})
			code := run.Answer([]answers.Hook{{Name: "trial", Answer: tt.hook}}, nil)
			if code != tt.code || out.String() != "" || errOut.String() != tt.stderr {
				t.Errorf("exit status %d, stdout %q, stderr %q", code, &out, &errOut)
			}
			runs := p.hookRuns()
			if len(runs) != 1 || runs[0].Hook != "trial" || runs[0].Outcome != tt.outcome || runs[0].Reason != tt.reason {
				t.Errorf("the log holds %+v", runs)
			}
		})
	}
}

func TestTraceHasTheStackOfAPanic(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	t.Setenv("MEMCTL_LOG", trace)
	p := newProject(t)
	p.hookLog()
	run := answers.Start([]string{"memctl", "hook", "trial", "--root", p.dir}, streams{In: strings.NewReader(event("hello")), Out: io.Discard, Err: io.Discard})
	run.Answer([]answers.Hook{{Name: "trial", Answer: func(context.Context, *answers.Call) error { panic("oops") }}}, nil)
	data, err := os.ReadFile(trace)
	if err != nil || !strings.Contains(string(data), "hook_log_test.go") || !strings.Contains(string(data), "internal error: oops") {
		t.Errorf("%v: %s", err, data)
	}
}
