package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// Streams are a hook's stdin, stdout and stderr.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Run is one run of a hook.
type Run struct {
	std     Streams
	started time.Time
	read    time.Duration // from the start until the event was read
	// Admit says why the run may not be about the project that a command line or an event names; nil if it may.
	Admit func(files.Places) error
	// Notes is store.Options.Notes.
	Notes func(project string, wanted bool, cfg schemas.Config) (files.Root, error)
	// ProposalsWait says in a line for the person which changes of a root that agents proposed wait; nil for none ever.
	ProposalsWait func(root files.Root) string
	// UserModel is store.Options.UserModel.
	UserModel retrieve.UserModel

	hook   string // "" if the command line named none
	client Client
	call   Call
	// afterwards runs once the hook's answer is out; nil for nothing.
	afterwards func(context.Context, *Call)

	answer Answer
	err    error
	took   time.Duration
	stdout string
	stderr string
}

// NewRun starts the clock of a run for a client.
func NewRun(std Streams, client Client) *Run {
	return &Run{std: std, started: time.Now(), client: client}
}

// SetClient names the client that runs the hook, if it is another one than NewRun says.
func (r *Run) SetClient(client Client) { r.client = client }

// Do calls serve, which reads the command line and calls Answer. Every hook ends here:
// errors and panics become a line on stderr, and the run becomes a line in the log. The
// exit status is 0 however a hook ends.
func (r *Run) Do(serve func() error) {
	r.err = recovered(serve)
	if r.err != nil {
		r.answer = Answer{}
	}
	r.answer.Person = joinLines(joinLines(r.answer.Person, r.call.unseenWarnings()), files.TakeNews())
	r.stdout = r.client.Encode(r.hook, r.answer)
	if err := write(r.std.Out, r.stdout); r.err == nil {
		r.err = err
	}
	r.stderr = r.call.notes
	if r.err != nil {
		r.stderr += errorLine(r.err)
	}
	r.took = time.Since(r.started)
	_ = write(r.std.Err, text.Paragraph(r.stderr))
	logErr := r.log()
	if path := os.Getenv(TraceVariable); path != "" {
		if err := r.trace(path, logErr); err != nil {
			_ = write(r.std.Err, fmt.Sprintf("memctl: %s: %v\n", TraceVariable, err))
		}
	}
	r.finish()
}

// Answer has a hook answer the event on stdin. rootArg is the value of --root.
func (r *Run) Answer(ctx context.Context, hook Hook, rootArg string) error {
	raw, err := readValue(r.std.In)
	var e Event
	if err == nil {
		e, r.client, err = r.client.Decode(raw)
	}
	r.read = time.Since(r.started)
	r.hook = hook.Name
	if places := files.PlacesFromEnv(rootArg, e.Cwd); err == nil && r.Admit != nil {
		if err := r.Admit(places); err != nil {
			r.call = Call{Event: e, client: r.client, rootArg: rootArg, rootErr: err}
			return err
		}
	}
	r.call, r.afterwards = newCall(e, r.client, rootArg), hook.Afterwards
	r.call.proposalsWait, r.call.started = r.ProposalsWait, r.started
	r.call.store.Notes, r.call.store.UserModel, r.call.news = r.Notes, r.UserModel, files.News()
	if os.Getenv(observe.Switch) == "off" {
		return Silence(observe.SwitchedOff)
	}
	if errors.As(err, new(Silence)) {
		return err
	}
	if err != nil {
		return fmt.Errorf("read the event on stdin: %w", err)
	}
	time.AfterFunc(quickAnswer, LimitMemory)
	return r.answerInTime(ctx, hook)
}

// answerInTime has the hook answer within its deadline. The hook works on a copy of the
// call in a goroutine, because it may be where a context cannot reach it, such as in a
// regular expression. If it is late, the process ends without it.
func (r *Run) answerInTime(ctx context.Context, hook Hook) error {
	deadline := cmp.Or(hook.Deadline, defaultDeadline)
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	type result struct {
		call   Call
		answer Answer
		err    error
	}
	done := make(chan result, 1)
	go func(call Call) {
		call.store.Warn = call.warnOfProblem
		var answer Answer
		err := recovered(func() (err error) {
			answer, err = hook.Answer(ctx, &call)
			return err
		})
		done <- result{call, answer, err}
	}(r.call)
	select {
	case result := <-done:
		if ctx.Err() == nil {
			r.call, r.answer = result.call, result.answer
			return result.err
		}
	case <-ctx.Done():
	}
	return fmt.Errorf("no answer within %v", deadline)
}

func write(out io.Writer, s string) error {
	if s == "" {
		return nil
	}
	_, err := io.WriteString(out, s)
	return err
}

func errorLine(err error) string {
	return fmt.Sprintf("memctl: %s\n", text.Printable(err.Error()))
}

// afterwardsDeadline is how long the process goes on after its answer at most.
const afterwardsDeadline = 1200 * time.Millisecond

// finish runs what a hook that has answered does afterwards. If that is late, the process
// ends without it, which it must survive at any point.
func (r *Run) finish() {
	if r.err != nil || r.afterwards == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), afterwardsDeadline)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = recovered(func() error {
			r.afterwards(ctx, &r.call)
			return nil
		})
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// noteRoot notes the root in the catalogue, and makes vectors of what has none if the user has a
// model. No one waits for either, so an error is not reported. A late run does neither.
func noteRoot(ctx context.Context, c *Call) {
	if c.late {
		return
	}
	if root, err := c.Root(); err == nil {
		_ = store.Catalogue{}.Note(ctx, root)
	}
	roots, err := c.store.Roots()
	if err != nil || c.store.Model() == nil {
		return
	}
	for _, root := range roots {
		if root.Scope == files.ProjectScope || root.Scope == files.UserScope {
			_, _ = c.store.MakeVectors(ctx, root, nil)
		}
	}
}
