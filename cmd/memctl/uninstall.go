package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runUninstall(c *cli.Context, std streams) error {
	if c.Bool("git") {
		return runInstallGit(c, std, true)
	}
	chosen, err := clientsArg(c)
	if err != nil {
		return err
	}
	if chosen == nil {
		chosen = clients.All()[:1]
	}
	var all []clients.Options
	for _, client := range chosen {
		o, err := installOptions(c, client, c.String("scope"))
		if err != nil {
			return err
		}
		all = append(all, o)
	}
	var reports []installReport
	for _, o := range all {
		report := installReport{done: "uninstalled from", unchanged: "not installed in"}
		if report.Change, err = clients.Uninstall(c.Context, o); err != nil {
			return err
		}
		if o.Client == clients.Claude {
			if report.Git, err = uninstallGit(c, o); err != nil {
				return err
			}
		}
		reports = append(reports, report)
	}
	if err := printReports(c, std, reports); err != nil {
		return err
	}
	if !c.IsSet("client") {
		hintOtherClients(std, all[0], rootArg(c))
	}
	return nil
}

// hintOtherClients names the clients that still run memctl in the scope.
func hintOtherClients(std streams, o clients.Options, root string) {
	var names []string
	for _, client := range clients.All()[1:] {
		target, err := client.Target(o.Scope, o.Project)
		if err != nil || target.Settings == "" {
			continue
		}
		if e, _ := target.Entries(); !e.IsEmpty() {
			names = append(names, client.Name)
		}
	}
	if len(names) > 0 {
		line := scopedLine("memctl uninstall --client "+strings.Join(names, ","), o.Scope, root)
		console.Hint(std.Err, "other agents still run memctl; \"%s\" removes it from them", line)
	}
}

// installReport is the answer of install and uninstall.
type installReport struct {
	clients.Change
	Observations *recordingChange   `json:"observations,omitempty"`
	Notes        *notesChange       `json:"notes,omitempty"`
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
	if r.Notes != nil {
		r.Notes.print(out)
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
