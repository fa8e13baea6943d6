package main

import (
	"fmt"
	"io"
	"path/filepath"

	"memctl/clients"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// installReport is the answer of install and uninstall.
type installReport struct {
	clients.Change
	Observations *recordingChange   `json:"observations,omitempty"`
	Git          *clients.GitChange `json:"git,omitempty"`

	done, unchanged string // the words before the name of a file
}

// printReports prints the reports of all clients. JSON is one object for a client, a
// list for several.
func printReports(c *cli.Context, std streams, reports []installReport) error {
	if len(reports) > 1 && c.Bool("json") {
		return writeJSON(std.Out, reports)
	}
	for _, report := range reports {
		if err := printResult(c, std, report, printReport); err != nil {
			return err
		}
	}
	return nil
}

// printReport says what was done, or that nothing had to be done.
func printReport(out io.Writer, r installReport) {
	if !r.Changed && r.Observations != nil && r.Observations.Changed {
		fmt.Fprintf(out, "%s %s\n", r.unchanged, filepath.ToSlash(r.Settings))
	} else {
		r.printChange(out, r.Change)
	}
	if r.Observations != nil {
		r.Observations.print(out)
	}
	if r.Server != nil {
		r.printChange(out, *r.Server)
	}
	if r.Git != nil {
		printGitChange(out, *r.Git)
	}
}

// printChange prints a change to a file of the client.
func (r installReport) printChange(out io.Writer, c clients.Change) {
	file := text.Printable(filepath.ToSlash(c.Settings))
	if !c.Changed {
		fmt.Fprintf(out, "%s %s; nothing was changed\n", r.unchanged, file)
		return
	}
	fmt.Fprintf(out, "%s%s %s\n", text.Paragraph(c.Diff), doneOr(c.DryRun, r.done), file)
	for _, entry := range c.Replaced {
		fmt.Fprintf(out, "replaced whole: %s\n", text.Printable(entry))
	}
	if c.Backup != "" {
		fmt.Fprintf(out, "as it was: %s\n", text.Printable(filepath.ToSlash(c.Backup)))
	}
}
