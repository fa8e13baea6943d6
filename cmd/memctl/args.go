package main

import (
	"slices"
	"strconv"
	"strings"

	"memctl/text"

	"github.com/urfave/cli/v2"
)

// interspersed lets flags stand after arguments ("memctl search words --json"):
// it moves those of the command named before its arguments, which is the only
// place where the flag package looks for them. What follows "--" stays.
func interspersed(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	commands, flags := app.Commands, app.Flags
	at := 1
	for at < len(args) && args[at] != "--" {
		if strings.HasPrefix(args[at], "-") {
			at += width(flags, args[at])
			continue
		}
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[at]) })
		if i < 0 {
			break
		}
		commands, flags = commands[i].Subcommands, commands[i].Flags
		at++
	}
	at = min(at, len(args))
	moved, rest := split(flags, args[at:])
	sorted := append(slices.Clone(args[:at]), moved...)
	if len(rest) > 0 {
		sorted = append(append(sorted, "--"), rest...)
	}
	return sorted
}

// commandName is the first argument that is no flag.
func commandName(args []string) string {
	flags := []cli.Flag{rootFlag()}
	for at := 1; at < len(args); at += width(flags, args[at]) {
		if !strings.HasPrefix(args[at], "-") {
			return args[at]
		}
	}
	return ""
}

// noArguments refuses arguments where a command takes none.
func noArguments(c *cli.Context, instead string) error {
	if !c.Args().Present() {
		return nil
	}
	return usagef("%s takes no arguments, got %q%s", c.Command.Name, c.Args().First(), instead)
}

// arguments refuses another number of arguments than are named.
func arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n != len(names) {
		return usagef("%s takes %s, got %s", strings.TrimPrefix(c.Command.HelpName, "memctl "), strings.Join(names, " and "), text.Plural(n, "argument", "arguments"))
	}
	return nil
}

func split(flags []cli.Flag, args []string) (moved, rest []string) {
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg == "--":
			return moved, append(rest, args[1:]...)
		case arg == "-" || !strings.HasPrefix(arg, "-") || isNumber(arg):
			rest = append(rest, arg)
			args = args[1:]
		default:
			n := min(width(flags, arg), len(args))
			moved = append(moved, args[:n]...)
			args = args[n:]
		}
	}
	return moved, rest
}

// isNumber tells a number below zero, which no flag is named.
func isNumber(arg string) bool {
	_, err := strconv.ParseFloat(arg, 64)
	return err == nil
}

// width is how many arguments a flag takes up, itself included.
func width(flags []cli.Flag, arg string) int {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return 1
	}
	for _, flag := range flags {
		if _, isBool := flag.(*cli.BoolFlag); !isBool && slices.Contains(flag.Names(), name) {
			return 2
		}
	}
	return 1
}
