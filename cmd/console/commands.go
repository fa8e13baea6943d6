package console

import (
	"fmt"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

// Prepare sets up what all commands of a program have in common. withHint adds a hint to an
// error that has none.
func Prepare(commands []*cli.Command, withHint func(*cli.Context, error) error) {
	for _, command := range commands {
		command.OnUsageError = UsageError
		command.HideHelpCommand = true
		if check := command.Before; check != nil {
			command.Before = func(c *cli.Context) error { return withHint(c, check(c)) }
		}
		if act := command.Action; act != nil {
			command.Action = func(c *cli.Context) error { return withHint(c, act(c)) }
		}
		for _, flag := range command.Flags {
			if yes, ok := flag.(*cli.BoolFlag); ok {
				yes.DisableDefaultText = true // "(default: false)" says nothing
			}
		}
		Prepare(command.Subcommands, withHint)
	}
}

// NoCommand is the action of a program that is called without a command that it knows.
func NoCommand(c *cli.Context) error {
	name, program := c.Args().First(), c.App.Name
	switch name {
	case "":
		return cli.ShowAppHelp(c)
	case "help":
		return c.App.RunContext(c.Context, append(append([]string{program}, c.Args().Tail()...), "--help"))
	}
	var names []string
	for _, command := range c.App.VisibleCommands() {
		names = append(names, command.Name)
	}
	hint := fmt.Sprintf(`run "%s --help" for the commands`, program)
	if meant := text.Nearest(name, names); meant != "" {
		hint = fmt.Sprintf(`did you mean "%s %s"?`, program, meant)
	}
	return &Failure{Err: fmt.Errorf("unknown command %q", name), Hint: hint, Code: ExitUsage}
}
