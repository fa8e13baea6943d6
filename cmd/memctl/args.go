package main

import (
	"slices"
	"strconv"
	"strings"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

// interspersed lets flags stand after arguments ("memctl search words --json"). The
// flag package looks for flags only before them, so it moves them there. What
// follows "--" stays.
func interspersed(app *cli.App, args []string) []string {
	commands, flags := app.Commands, app.Flags
	sorted, words := args[:min(1, len(args)):1], args[min(1, len(args)):]
	var rest []string
	for len(words) > 0 {
		word, n := words[0], 1
		command := commandNamed(commands, word)
		switch {
		case word == "--":
			n = len(words)
			rest = append(rest, words[1:]...)
		case isFlag(word):
			n = min(width(flags, word), len(words))
			sorted = append(sorted, words[:n]...)
		case command != nil && len(rest) == 0:
			sorted = append(sorted, word)
			commands, flags = command.Subcommands, command.Flags
		default:
			rest = append(rest, word)
		}
		words = words[n:]
	}
	if len(rest) > 0 {
		sorted = append(append(sorted, "--"), rest...)
	}
	return sorted
}

// commandName returns the first argument that is not a flag.
func commandName(args []string) string {
	flags := []cli.Flag{rootFlag()}
	for at := 1; at < len(args); at += width(flags, args[at]) {
		if !strings.HasPrefix(args[at], "-") {
			return args[at]
		}
	}
	return ""
}

func commandNamed(commands []*cli.Command, name string) *cli.Command {
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// isFlag reports whether a word is a flag: "-" and negative numbers are not.
func isFlag(word string) bool {
	_, notANumber := strconv.ParseFloat(word, 64)
	return strings.HasPrefix(word, "-") && word != "-" && notANumber != nil
}

// width is the number of arguments that a flag takes up, itself included.
func width(flags []cli.Flag, word string) int {
	name := strings.TrimLeft(word, "-")
	for _, flag := range flags {
		if _, isBool := flag.(*cli.BoolFlag); !isBool && slices.Contains(flag.Names(), name) {
			return 2
		}
	}
	return 1
}

// noArguments returns an error if a command that takes no arguments got one.
func noArguments(c *cli.Context, instead string) error {
	if !c.Args().Present() {
		return nil
	}
	return usagef("%s takes no arguments, got %q%s", c.Command.Name, c.Args().First(), instead)
}

// withoutArguments is noArguments as the Before of a command.
func withoutArguments(instead string) cli.BeforeFunc {
	return func(c *cli.Context) error { return noArguments(c, instead) }
}

// arguments returns an error unless there is one argument for each name.
func arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n != len(names) {
		return usagef("%s takes %s, got %s", strings.TrimPrefix(c.Command.HelpName, "memctl "), strings.Join(names, " and "), text.Plural(n, "argument", "arguments"))
	}
	return nil
}
