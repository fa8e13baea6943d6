package hooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/observe"
)

// trial is a project with a memory root, and the traces of a hook that ran in it.
type trial struct {
	root     files.Root
	out, err bytes.Buffer
	t        *testing.T
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // for the log
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".claude/memory"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &trial{root: root, t: t}
}

func (tr *trial) run(answer Func) {
	tr.t.Helper()
	run := NewRun(Streams{strings.NewReader(`{"prompt":"hello"}`), &tr.out, &tr.err}, plain{})
	run.Do(func() error {
		return run.Answer(context.Background(), Hook{Name: "trial", Answer: answer}, tr.root.Path)
	})
}

// However a hook ends, the client goes on and the log records it. The log does not
// quote a panic, which may contain any text.
func TestHowARunEnds(t *testing.T) {
	tests := map[string]struct {
		answer  Func
		outcome observe.Outcome
		reason  string
		stdout  string
		stderr  string
	}{
		"a panic": {
			func(context.Context, *Call) (Answer, error) { panic("my secret") },
			observe.Failed, "internal error: panic with a string; MEMCTL_LOG has more", "", "memctl: internal error: my secret\n",
		},
		"a bug": {
			func(context.Context, *Call) (Answer, error) {
				var none []int
				return Answer{Context: fmt.Sprint(none[len(none)])}, nil
			},
			observe.Failed, "internal error: runtime error: index out of range [0] with length 0", "", "memctl: internal error: runtime error: index out of range [0] with length 0\n",
		},
		"an error with an answer": {
			func(context.Context, *Call) (Answer, error) {
				return Answer{Ask: "half a question"}, errors.New("the disk is gone")
			},
			observe.Failed, "the disk is gone", "", "memctl: the disk is gone\n",
		},
		"a reason to be silent": {
			func(context.Context, *Call) (Answer, error) { return Answer{}, fmt.Errorf("asked: %w", errNoMatch) },
			observe.Silent, "asked: " + errNoMatch.Error(), "", "memctl: asked: no memory matches the prompt\n",
		},
		"a question": {
			func(_ context.Context, c *Call) (Answer, error) {
				c.note("warning: not for the agent")
				return Answer{Ask: "save this"}, nil
			},
			observe.Blocked, "", plain{}.Encode("trial", Answer{Ask: "save this"}), "memctl: warning: not for the agent\n",
		},
		"a denial": {
			func(context.Context, *Call) (Answer, error) { return Answer{Deny: "no"}, nil },
			observe.Blocked, "", plain{}.Encode("trial", Answer{Deny: "no"}), "",
		},
		"a warning of a hook that fails": {
			func(_ context.Context, c *Call) (Answer, error) {
				return Answer{Context: "half a block"}, c.warnOf(errors.New("the disk is gone"))
			},
			observe.Failed, "the disk is gone", plain{}.Encode("trial", Answer{Person: "memctl: the disk is gone"}), "memctl: the disk is gone\n",
		},
		"a warning of a silent hook": {
			func(_ context.Context, c *Call) (Answer, error) {
				c.warn("odd %d", 1)
				return Answer{}, errNoMatch
			},
			observe.Silent, errNoMatch.Error(), plain{}.Encode("trial", Answer{Person: "memctl: odd 1"}), "memctl: warning: odd 1\nmemctl: no memory matches the prompt\n",
		},
		"a context and a note": {
			func(_ context.Context, c *Call) (Answer, error) {
				c.note("warning: %s", "odd")
				return Answer{Context: "a memory\n"}, nil
			},
			observe.OK, "", plain{}.Encode("trial", Answer{Context: "a memory\n"}), "memctl: warning: odd\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tr := newTrial(t)
			tr.run(tt.answer)
			if tr.out.String() != tt.stdout || tr.err.String() != tt.stderr {
				t.Errorf("stdout %q, stderr %q", &tr.out, &tr.err)
			}
			runs, err := observe.ReadLog(tr.root)
			if err != nil || len(runs) != 1 || runs[0].Hook != "trial" || runs[0].Outcome != tt.outcome || runs[0].Reason != tt.reason {
				t.Errorf("the log holds %+v, %v", runs, err)
			}
		})
	}
}

// A run does not wait for a hook that ignores its context, and nothing that the hook does
// later shows. With -race the test finds data that both still use.
func TestLateAnswerIsDropped(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	for name, late := range map[string]Func{
		"a hook that does not end": func(_ context.Context, c *Call) (Answer, error) {
			for {
				c.note("still here")
				c.unlogged = true
				select {
				case <-over:
					return Answer{}, nil
				default:
					runtime.Gosched()
				}
			}
		},
		"a hook that ends too late": func(ctx context.Context, c *Call) (Answer, error) {
			<-ctx.Done()
			c.note("not seen")
			c.unlogged = true
			return Answer{Ask: "save this"}, nil
		},
		"a hook that its context ends": func(ctx context.Context, _ *Call) (Answer, error) {
			<-ctx.Done()
			return Answer{}, ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTrial(t)
			run := NewRun(Streams{strings.NewReader("{}"), &tr.out, &tr.err}, plain{})
			run.Do(func() error {
				return run.Answer(context.Background(), Hook{Name: "trial", Answer: late, Deadline: 20 * time.Millisecond}, tr.root.Path)
			})
			const reason = "no answer within 20ms"
			if tr.out.Len() > 0 || tr.err.String() != "memctl: "+reason+"\n" {
				t.Errorf("stdout %q, stderr %q", &tr.out, &tr.err)
			}
			if runs, err := observe.ReadLog(tr.root); err != nil || len(runs) != 1 || runs[0].Outcome != observe.Failed || runs[0].Reason != reason {
				t.Errorf("the log holds %+v, %v", runs, err)
			}
		})
	}
}

// The client's timeouts are longer than the deadlines.
func TestDeadlines(t *testing.T) {
	registration, err := os.ReadFile("hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, hook := range All {
		timeout := regexp.MustCompile(` hook ` + hook.Name + `; exit 0",\s*"timeout": (\d+)`).FindSubmatch(registration)
		if timeout == nil {
			t.Fatalf("no timeout of %s", hook.Name)
		}
		seconds, _ := strconv.Atoi(string(timeout[1]))
		if deadline := cmp.Or(hook.Deadline, defaultDeadline); deadline >= time.Duration(seconds)*time.Second {
			t.Errorf("%s has a deadline of %v, the client's is %d s", hook.Name, deadline, seconds)
		}
	}
}

// gone is a stdout whose reader has closed it.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAnswerThatCannotBeWrittenIsAFailure(t *testing.T) {
	tr := newTrial(t)
	run := NewRun(Streams{strings.NewReader("{}"), gone{}, &tr.err}, plain{})
	run.Do(func() error {
		return run.Answer(context.Background(), Hook{Name: "trial", Answer: func(context.Context, *Call) (Answer, error) {
			return Answer{Context: "a memory"}, nil
		}}, tr.root.Path)
	})
	runs, err := observe.ReadLog(tr.root)
	if tr.err.String() != "memctl: broken pipe\n" || err != nil || len(runs) != 1 || runs[0].Outcome != observe.Failed {
		t.Errorf("stderr %q, log %+v, %v", &tr.err, runs, err)
	}
}

func TestTraceHasTheStackOfAPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	t.Setenv(TraceVariable, path)
	newTrial(t).run(func(context.Context, *Call) (Answer, error) { panic("oops") })
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "run_test.go") || !strings.Contains(string(data), "internal error: oops") {
		t.Errorf("%v: %s", err, data)
	}
}
