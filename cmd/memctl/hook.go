package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"memctl/hooks"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const hookDescription = `The agent's client runs these with an event as JSON on stdin. A hook never stands
in the way: whatever goes wrong, it prints one line on stderr, nothing on stdout,
and exits 0. Only "stop" ever exits 2, which blocks: the agent then reads on stderr
what to save.`

func hookCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "hook",
		Usage:       "answer a hook event of Claude Code",
		Description: hookDescription,
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); name != "" {
				return fmt.Errorf("unknown hook %q", name)
			}
			return errors.New("no hook is named; memctl hook --help lists them")
		},
		Subcommands: []*cli.Command{
			hookSubcommand(std, "user-prompt-submit", "print the memories that matter for a prompt", hookPrompt),
			hookSubcommand(std, "session-start", "bring the index up to date; say what needs the user, if anything", hookSessionStart),
			hookSubcommand(std, "pre-tool-use", "keep a tool from writing memory files past memctl", hookPreToolUse),
			hookSubcommand(std, "post-tool-use", "check a memory file that a tool wrote all the same", hookPostToolUse),
			hookSubcommand(std, "stop", "ask for what is worth a memory before the agent stops (exit status 2), once", hookStop),
		},
	}
}

func hookSubcommand(std streams, name, usage string, hook hookFunc) *cli.Command {
	return &cli.Command{
		Name:  name,
		Usage: usage,
		Flags: []cli.Flag{rootFlag()},
		Action: func(c *cli.Context) error {
			return runHook(c.Context, hook, rootArg(c), std)
		},
	}
}

// hookFunc answers one event. What it writes to stdout reaches the client only
// if it returns nil.
type hookFunc func(ctx context.Context, e hooks.Event, rootArg string, std streams) error

// runHook runs one hook on the event on stdin. A panic is an error like others.
func runHook(ctx context.Context, hook hookFunc, rootArg string, std streams) (err error) {
	var out bytes.Buffer
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v", cause)
		}
		if err == nil {
			_, err = std.out.Write(out.Bytes())
		}
	}()
	e, err := hooks.ReadEvent(std.in)
	if err != nil {
		return err
	}
	return hook(ctx, e, rootArg, streams{std.in, &out, std.err})
}

// blocked is how the stop hook holds up a stop: the client gives the text to the
// agent. It is no failure.
type blocked struct{ ask string }

func (b *blocked) Error() string { return b.ask }

// failOpen is how every hook fails (DESIGN §5).
func failOpen(std streams, err error) int {
	if b := new(blocked); errors.As(err, &b) {
		fmt.Fprint(std.err, b.ask)
		return exitBlock
	}
	fmt.Fprintf(std.err, "memctl: %s\n", text.Printable(err.Error()))
	return exitDone
}
