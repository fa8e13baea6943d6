// Package console is what the programs in cmd have in common: how they read their command
// line, write to stdout, and end with an error.
package console

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// Interspersed lets flags stand after arguments ("memctl search words --json"). The
// flag package looks for flags only before them, so it moves them there. What
// follows "--" stays, and so do the arguments of a command that passes them on.
func Interspersed(app *cli.App, args []string) []string {
	commands, flags := app.Commands, app.Flags
	sorted, words := args[:min(1, len(args)):1], args[min(1, len(args)):]
	var rest []string
	for len(words) > 0 {
		word, n := words[0], 1
		command := CommandNamed(commands, word)
		switch {
		case word == "--":
			n = len(words)
			rest = append(rest, words[1:]...)
		case isFlag(word):
			n = min(Width(flags, word), len(words))
			sorted = append(sorted, words[:n]...)
		case command != nil && len(rest) == 0 && command.SkipFlagParsing:
			return append(sorted, words...)
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

// CommandNamed returns the command with a name, nil if there is none.
func CommandNamed(commands []*cli.Command, name string) *cli.Command {
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

// Width is the number of arguments that a flag takes up, itself included.
func Width(flags []cli.Flag, word string) int {
	name := strings.TrimLeft(word, "-")
	for _, flag := range flags {
		if _, isBool := flag.(*cli.BoolFlag); !isBool && slices.Contains(flag.Names(), name) {
			return 2
		}
	}
	return 1
}
