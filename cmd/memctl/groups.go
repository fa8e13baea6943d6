package main

import (
	"fmt"
	"strings"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// commandGroup is a group of commands in the help of memctl.
type commandGroup struct{ title, names string }

// firstGroups are on the first screen of the help, and the others in "memctl help all".
var (
	firstGroups = []commandGroup{
		{"Start", "setup"},
		{"Every day", "add search list show edit retire restore ui"},
		{"Understand", "explain doctor review stats"},
		{"Bring in, take out", "import export"},
		{"Share", "history hub"},
	}
	otherGroups = []commandGroup{
		{"Set up by hand", "init install uninstall config completion version"},
		{"Look closer", "timeline sessions observations roots eval"},
		{"Look after", "gc validate scrub resolve move adopt reindex"},
		{"For agents and programs", "create update candidate stage triage mcp hook"},
	}
)

// firstScreen is what memctl says when it is called alone.
func firstScreen(commands []*cli.Command) string {
	var b strings.Builder
	b.WriteString("memctl: a memory for coding agents, in files you can review\n")
	printGroups(&b, commands, firstGroups)
	b.WriteString(`
"memctl setup" in a project is all it takes. "memctl COMMAND --help" explains a command,
"memctl help all" lists the rest, "memctl --version" says which memctl this is.
`)
	return b.String()
}

// showAllHelp lists every command.
func showAllHelp(c *cli.Context) error {
	var b strings.Builder
	b.WriteString(help.Read("memctl") + "\n")
	printGroups(&b, c.App.Commands, firstGroups)
	printGroups(&b, c.App.Commands, otherGroups)
	_, err := fmt.Fprint(c.App.Writer, b.String())
	return err
}

func printGroups(b *strings.Builder, commands []*cli.Command, groups []commandGroup) {
	for _, group := range groups {
		fmt.Fprintf(b, "\n%s\n", group.title)
		for name := range strings.FieldsSeq(group.names) {
			if command := console.CommandNamed(commands, name); command != nil {
				fmt.Fprintf(b, "  %-13s %s\n", name, command.Usage)
			}
		}
	}
}
