package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"memctl/answers"

	"github.com/urfave/cli/v2"
)

const hookDescription = `The agent's client runs these with an event as JSON on stdin. A hook never stands
in the way: whatever goes wrong, it prints one line on stderr, nothing on stdout,
and exits 0. Only "stop" ever exits 2, which blocks: the agent then reads on stderr
what to save.

Each run leaves one line in a log in the project's staging folder, without a word
of the prompt; memctl doctor reads it. MEMCTL_LOG=/ABSOLUTE/PATH appends more of
every run to that file: event, session, sizes, times, and what went to stderr.`

// indexHooks are the hooks that the index answers, or that bring it up to date.
var indexHooks = []answers.Hook{
	{Name: "user-prompt-submit", Usage: "print the memories that matter for a prompt", Answer: hookPrompt},
	{Name: "session-start", Usage: "bring the index up to date; say what needs the user, if anything", Answer: hookSessionStart},
	{Name: answers.AfterTool, Usage: "record what a tool did; check a memory file that it wrote past the guard", Answer: hookPostToolUse},
}

// answerHook answers the event that package first has left.
func answerHook(run *answers.Run) (code int) {
	return run.Answer(indexHooks, func(std streams) error {
		app := newApp(std, hookCommand(run))
		return app.Run(interspersed(app, os.Args))
	})
}

// hookCommand is for help, and for command lines that no client writes.
func hookCommand(run *answers.Run) *cli.Command {
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

func hookSubcommands(run *answers.Run) []*cli.Command {
	var list []*cli.Command
	for _, hook := range slices.Concat(indexHooks, answers.Unindexed) {
		list = append(list, &cli.Command{
			Name:   hook.Name,
			Usage:  hook.Usage,
			Flags:  []cli.Flag{rootFlag()},
			Action: func(c *cli.Context) error { return run.By(c.Context, hook, rootArg(c)) },
		})
	}
	return list
}
