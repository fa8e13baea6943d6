//go:build man

package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// The manual page is written when memctl is built ("make man"): its renderer would
// cost every start of the program.
func init() { hidden = append(hidden, manCommand) }

func manCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:   "man",
		Hidden: true,
		Action: func(c *cli.Context) error {
			describe(c.App.Name, c.App.Commands)
			page, err := c.App.ToManWithSection(1)
			if err != nil {
				return err
			}
			_, err = io.WriteString(std.Out, page+manEnd)
			return err
		},
	}
}

// describe puts the arguments and the description of every command where the
// renderer looks: in its usage text.
func describe(parent string, commands []*cli.Command) {
	for _, command := range commands {
		name := parent + " " + command.Name
		command.UsageText = strings.TrimSpace(name+" "+command.ArgsUsage) + "\n\n" + command.Description
		describe(name, command.Subcommands)
	}
}

// manEnd is what the definition of the commands does not say.
const manEnd = `
.SH FILES
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
