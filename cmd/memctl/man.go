package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// manDate is when the page was last looked through: change it with the version.
const manDate = "2026-11-21"

// manEnd is what the definition of the commands does not say.
const manEnd = `.SH FILES
.TP
.I .claude/memory/
The memory root: a folder of JSON files for each category, memory\-config.json,
synonyms.txt, and the derived index.db.
.TP
.I .claude/settings.json
Where "memctl install" registers the hooks.
.TP
.I $TMPDIR/memctl\-UID/
Staged drafts, context files and the log of the hooks, a folder for each memory root.
.SH ENVIRONMENT
.TP
.B MEMCTL_ROOT
The project or memory root to use.
.TP
.B MEMCTL_LOG
An absolute path: every run of a hook appends to that file what it did.
.TP
.B CLAUDE_PROJECT_DIR
Where the search for the memory root starts; set by Claude Code.
.TP
.B CLAUDE_CONFIG_DIR
Claude Code's own folder, where it is not ~/.claude.
.SH EXIT STATUS
0 done, 1 refused or something was found wrong, 2 wrong usage, 130 stopped by Ctrl\-C.
A hook exits with 0; only "memctl hook stop" exits with 2, to hold the stop up.
.SH EXAMPLES
.nf
memctl init
memctl install
memctl search lock timeout
memctl explain "why does the migration stop with a lock timeout?"
.fi
`

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
	fmt.Fprintf(&b, ".TH MEMCTL 1 %s \"memctl %s\" \"User Commands\"\n", manDate, version)
	fmt.Fprintf(&b, ".SH NAME\nmemctl \\- %s\n", roff(app.Usage))
	b.WriteString(".SH SYNOPSIS\n.B memctl\n[\\fB\\-\\-root\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(app.Description))
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, app.Flags)
	b.WriteString(".SH COMMANDS\n")
	for _, command := range app.Commands {
		manCommandEntry(&b, "", command)
	}
	b.WriteString(manEnd)
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
