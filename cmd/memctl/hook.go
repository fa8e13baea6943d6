package main

import (
	"context"
	"errors"
	"fmt"

	"memctl/hooks"

	"github.com/urfave/cli/v2"
)

const hookDescription = `The agent's client runs these with an event as JSON on stdin. A hook never stands
in the way: whatever goes wrong, it prints one line on stderr, nothing on stdout,
and exits 0. Only "stop" ever exits 2, which blocks: the agent then reads on stderr
what to save.

Each run leaves one line in a log in the project's staging folder, without a word
of the prompt; memctl doctor reads it. MEMCTL_LOG=/ABSOLUTE/PATH appends more of
every run to that file: event, session, sizes, times, and what went to stderr.`

func hookCommand(run *hookRun) *cli.Command {
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
		Subcommands: hookSubcommands(run),
	}
}

func hookSubcommands(run *hookRun) []*cli.Command {
	var list []*cli.Command
	for _, known := range hookTable {
		list = append(list, &cli.Command{
			Name:  known.name,
			Usage: known.usage,
			Flags: []cli.Flag{rootFlag()},
			Action: func(c *cli.Context) error {
				return run.answer(c.Context, known.name, rootArg(c), known.answer)
			},
		})
	}
	return list
}

// hookTable holds every hook.
var hookTable = [...]struct {
	name, usage string
	answer      hookFunc
}{
	{"user-prompt-submit", "print the memories that matter for a prompt", hookPrompt},
	{"session-start", "bring the index up to date; say what needs the user, if anything", hookSessionStart},
	{"pre-tool-use", "keep a tool from writing memory files past memctl", hookPreToolUse},
	{afterTool, "record what a tool did; check a memory file that it wrote past the guard", hookPostToolUse},
	{afterFailure, "record that a tool failed", hookToolFailure},
	{"stop", "ask for what is worth a memory before the agent stops (exit status 2), once", hookStop},
}

// hookFunc answers one event. What it writes to stdout reaches the client only
// if it returns nil or a *blocked.
type hookFunc func(ctx context.Context, e hooks.Event, rootArg string, std streams) error

// hookToolFailure is for an event that observeTool could not read.
func hookToolFailure(context.Context, hooks.Event, string, streams) error { return nil }

// blocked is how a hook holds the agent up. It is no failure. The stop hook asks
// for something on stderr and by its exit status; a tool's hook has its answer on
// stdout.
type blocked struct{ ask string }

func (b *blocked) Error() string { return b.ask }

// refused is the end of a hook that wrote a refusal to stdout.
func refused(err error) error {
	if err != nil {
		return err
	}
	return new(blocked)
}

// quiet is why a hook that works has nothing to say.
type quiet string

func (q quiet) Error() string { return string(q) }
