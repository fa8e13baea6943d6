package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// manCommand renders the manual page from the definition of the commands. The
// command library has a renderer too, but it costs every start of the program
// half a millisecond.
func manCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:   "man",
		Usage:  "print the manual page: memctl man | man -l -",
		Hidden: true,
		Action: func(c *cli.Context) error { return writeMan(std.Out, c.App) },
	}
}

func writeMan(out io.Writer, app *cli.App) error {
	var b strings.Builder
	b.WriteString(".TH MEMCTL 1 \"\" \"memctl\" \"User Commands\"\n")
	fmt.Fprintf(&b, ".SH NAME\nmemctl \\- %s\n", roff(app.Usage))
	b.WriteString(".SH SYNOPSIS\n.B memctl\n[\\fB\\-\\-root\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(app.Description))
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, app.Flags)
	b.WriteString(".SH COMMANDS\n")
	for _, command := range app.Commands {
		manCommandEntry(&b, "", command)
	}
	b.WriteString(".SH FILES\n.TP\n.I .claude/memory/\nThe memory root: a folder of JSON files for each category, memory-config.json, and the derived index.db.\n")
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B MEMCTL_ROOT\nThe project or memory root to use.\n.TP\n.B CLAUDE_PROJECT_DIR\nWhere the search for the memory root starts; set by Claude Code.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

func manCommandEntry(b *strings.Builder, parent string, command *cli.Command) {
	if command.Hidden {
		return
	}
	name := strings.TrimSpace(parent + " " + command.Name)
	fmt.Fprintf(b, ".SS %s\n%s\n", strings.TrimSpace(roff(name+" "+command.ArgsUsage)), roff(command.Usage))
	if command.Description != "" {
		fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(command.Description))
	}
	manFlags(b, command.Flags)
	for _, sub := range command.Subcommands {
		manCommandEntry(b, name, sub)
	}
}

func manFlags(b *strings.Builder, flags []cli.Flag) {
	for _, flag := range flags {
		if line := flag.String(); line != "" {
			names, usage, _ := strings.Cut(line, "\t")
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(names), roff(strings.TrimSpace(usage)))
		}
	}
}

// roff escapes what the formatter would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
