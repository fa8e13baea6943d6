package main

import (
	"strings"

	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// commandName returns the first argument that is not a flag.
func commandName(args []string) string {
	flags := []cli.Flag{rootFlag()}
	for at := 1; at < len(args); at += console.Width(flags, args[at]) {
		if !strings.HasPrefix(args[at], "-") {
			return args[at]
		}
	}
	return ""
}

// noArguments returns an error if a command that takes no arguments got one.
func noArguments(c *cli.Context, instead string) error {
	if !c.Args().Present() {
		return nil
	}
	return console.Usagef("%s takes no arguments, got %q%s", c.Command.Name, c.Args().First(), instead)
}

// insteadOfArguments is what some commands that take no arguments offer instead.
var insteadOfArguments = map[string]string{
	"candidate":    "; put the whole text of --new-info in quotes",
	"config list":  "; to see one there is get",
	"create":       "; use --target PATH",
	"init":         "; use --root DIR",
	"list":         "; to find memories by words use search",
	"observations": "; to find words use --query",
}

// arguments returns an error unless there is one argument for each name.
func arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n != len(names) {
		return console.Usagef("%s takes %s, got %s", strings.TrimPrefix(c.Command.HelpName, "memctl "), strings.Join(names, " and "), text.Plural(n, "argument", "arguments"))
	}
	return nil
}
