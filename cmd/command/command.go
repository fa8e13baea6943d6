package command

import (
	"fmt"
	"io/fs"
	"strings"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// Help returns the help of all features; the core is one.
func (std Streams) Help() console.Help {
	var texts []fs.FS
	for _, f := range std.Features {
		if f.Texts != nil {
			texts = append(texts, f.Texts)
		}
	}
	return console.Help{Files: console.Together(texts), Program: "memctl", Shared: sharedFlags}
}

type action func(c *cli.Context, std Streams) error

// NewCommand returns the command of a name, with its help. It takes the arguments that the help names, and refuses
// those who may not.
func NewCommand(std Streams, name string, rules May, run action, flags ...cli.Flag) *cli.Command {
	for _, f := range std.Features {
		flags = append(flags, f.Flags[name]...)
	}
	cmd := std.Help().Command(name, Guarded(std, name, rules, run), flags...)
	switch {
	case cmd.ArgsUsage == "":
		cmd.Before = func(c *cli.Context) error { return NoArguments(c, insteadOfArguments[name]) }
	case !strings.ContainsAny(cmd.ArgsUsage, "[]|."):
		cmd.Before = func(c *cli.Context) error { return arguments(c, strings.Fields(cmd.ArgsUsage)...) }
	}
	return cmd
}

// FilledIn puts a list into the description of a command.
func FilledIn(cmd *cli.Command, list string) *cli.Command {
	cmd.Description = fmt.Sprintf(cmd.Description, list)
	return cmd
}

// Group gives a command subcommands. Alone, it does what it did without them.
func Group(cmd *cli.Command, subcommands ...*cli.Command) *cli.Command {
	var names []string
	for _, sub := range subcommands {
		names = append(names, sub.Name)
	}
	last := len(names) - 1
	alone := cmd.Action
	cmd.Subcommands, cmd.Before = subcommands, nil
	cmd.Action = func(c *cli.Context) error {
		if name := c.Args().First(); name != "" {
			return console.Usagef("unknown subcommand %q of %s: expected %s", name, cmd.Name,
				strings.TrimPrefix(strings.Join(names[:last], ", ")+" or "+names[last], " or "))
		}
		return alone(c)
	}
	return cmd
}

// ShowSubcommands is the action of a group that does nothing alone.
func ShowSubcommands(c *cli.Context, _ Streams) error { return cli.ShowSubcommandHelp(c) }

// Rooted is the action of a command on all of a memory root.
func Rooted(run func(c *cli.Context, std Streams, root files.Root) error) action {
	return func(c *cli.Context, std Streams) error {
		root, err := FindRoot(c)
		if err != nil {
			return err
		}
		return run(c, std, root)
	}
}

// CountingArguments lets a command look at the number of its arguments itself.
func CountingArguments(cmd *cli.Command) *cli.Command {
	cmd.Before = nil
	return cmd
}

// CommandName returns the first argument that is not a flag.
func CommandName(args []string) string {
	if at := CommandAt(args); at < len(args) {
		return args[at]
	}
	return ""
}

// CommandAt is where the first argument is that is not a flag, len(args) if there is none.
func CommandAt(args []string) int {
	flags := []cli.Flag{RootFlag()}
	at := 1
	for at < len(args) && strings.HasPrefix(args[at], "-") {
		at += console.Width(flags, args[at])
	}
	return min(at, len(args))
}

// NoArguments returns an error if a command that takes no arguments got one.
func NoArguments(c *cli.Context, instead string) error {
	if !c.Args().Present() {
		return nil
	}
	return console.Usagef("%s takes no arguments, got %q%s", c.Command.Name, c.Args().First(), instead)
}

// insteadOfArguments names alternatives for commands that take no arguments.
var insteadOfArguments = map[string]string{
	"candidate":    "; put the whole text of --new-info in quotes",
	"config list":  "; to see one there is get",
	"create":       "; use --target PATH",
	"init":         "; use --root DIR",
	"install":      "; use --scope SCOPE",
	"list":         "; to find memories by words use search",
	"observations": "; to find words use --query",
	"uninstall":    "; use --scope SCOPE",
}

// arguments returns an error unless there is one argument for each name.
func arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n != len(names) {
		return console.Usagef("%s takes %s, got %s", strings.TrimPrefix(c.Command.HelpName, "memctl "),
			strings.Join(names, " and "), text.Plural(n, "argument", "arguments"))
	}
	return nil
}
