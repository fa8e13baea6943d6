package main

import (
	"embed"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"

	"github.com/urfave/cli/v2"
)

// helpFiles has a file for each command. It begins with a line for the command and each of its
// subcommands: "memctl NAME ARGUMENTS: what it does". The description follows after a blank line. A line
// "@NAME" stands for a file that several descriptions share.
//
//go:embed help
var helpFiles embed.FS

// help is what a file says of a command. A subcommand, as "config get", has a line in that of its group.
func help(name string) (usage, arguments, description string) {
	group, _, below := strings.Cut(name, " ")
	heads, description, _ := strings.Cut(readHelp(group), "\n\n")
	for head := range strings.SplitSeq(heads, "\n") {
		if rest, ok := strings.CutPrefix(head, "memctl "+name); ok && strings.ContainsAny(rest[:1], " :") {
			arguments, usage, _ = strings.Cut(rest, ": ")
			break
		}
	}
	if below {
		description = ""
	}
	for _, part := range []string{"pager", "contract"} {
		if before, found := strings.CutSuffix(description, "@"+part); found {
			description = before + readHelp(part)
		}
	}
	return usage, strings.TrimSpace(arguments), description
}

func readHelp(name string) string {
	data, err := helpFiles.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // a test makes every command
	}
	return strings.TrimSuffix(string(data), "\n")
}

// action is what a command does.
type action func(c *cli.Context, std streams) error

// newCommand returns the command of a name, with its help. It refuses arguments if the help names none.
func newCommand(std streams, name string, run action, flags ...cli.Flag) *cli.Command {
	usage, arguments, description := help(name)
	cmd := &cli.Command{
		Name:        name[strings.LastIndex(name, " ")+1:],
		Usage:       usage,
		ArgsUsage:   arguments,
		Description: description,
		Flags:       flags,
		Action:      func(c *cli.Context) error { return run(c, std) },
	}
	if arguments == "" {
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
			return console.Usagef("unknown subcommand %q of %s: expected %s or %s", name, cmd.Name, strings.Join(names[:last], ", "), names[last])
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
