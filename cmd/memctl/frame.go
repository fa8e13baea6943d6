package main

import (
	"embed"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"

	"github.com/urfave/cli/v2"
)

//go:embed help
var helpFiles embed.FS

var help = console.Help{Files: helpFiles, Program: "memctl"}

// action is what a command does.
type action func(c *cli.Context, std streams) error

// newCommand returns the command of a name, with its help. It refuses arguments if the help names none.
func newCommand(std streams, name string, run action, flags ...cli.Flag) *cli.Command {
	cmd := help.Command(name, func(c *cli.Context) error { return run(c, std) }, flags...)
	if cmd.ArgsUsage == "" {
		cmd.Before = func(c *cli.Context) error { return noArguments(c, insteadOfArguments[name]) }
	}
	return cmd
}

// group gives a command subcommands. Alone, it does what it did without them.
func group(cmd *cli.Command, subcommands ...*cli.Command) *cli.Command {
	var names []string
	for _, sub := range subcommands {
		names = append(names, sub.Name)
	}
	last := len(names) - 1
	alone := cmd.Action
	cmd.Subcommands, cmd.Before = subcommands, nil
	cmd.Action = func(c *cli.Context) error {
		if name := c.Args().First(); name != "" {
			return console.Usagef("unknown subcommand %q of %s: expected %s or %s", name, cmd.Name,
				strings.Join(names[:last], ", "), names[last])
		}
		return alone(c)
	}
	return cmd
}

// showSubcommands is the action of a group that does nothing alone.
func showSubcommands(c *cli.Context, _ streams) error { return cli.ShowSubcommandHelp(c) }

// rooted is the action of a command on all of a memory root.
func rooted(run func(c *cli.Context, std streams, root memdir.Root) error) action {
	return func(c *cli.Context, std streams) error {
		root, err := findRoot(c)
		if err != nil {
			return err
		}
		return run(c, std, root)
	}
}
