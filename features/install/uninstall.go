package install

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"

	"github.com/urfave/cli/v2"
)

func runUninstall(c *cli.Context, std command.Streams) error {
	if c.Bool("git") {
		return runInstallGit(c, std, true)
	}
	if c.Bool("leftovers") || c.Bool("all-projects") || c.Bool("yes") {
		return runRemoval(c, std)
	}
	chosen, err := clientsArg(c)
	if err != nil {
		return err
	}
	var all []Options
	for _, client := range chosen {
		o, err := installOptions(c, client, c.String("scope"))
		if err != nil {
			return err
		}
		all = append(all, o)
	}
	var reports []installReport
	for _, o := range all {
		report := installReport{Done: "uninstalled from", Unchanged: "not installed in"}
		if report.Change, err = Uninstall(c.Context, o); err != nil {
			return err
		}
		if o.Client == clients.Claude {
			if report.Git, err = uninstallGit(c, o); err != nil {
				return err
			}
		}
		reports = append(reports, report)
	}
	left, err := leftIn(c, all[0])
	if err != nil {
		return err
	}
	reports[0].Left = left.list
	if err := printReports(c, std, reports); err != nil {
		return err
	}
	var changed []Change
	for _, report := range reports {
		changed = append(changed, report.parts()...)
	}
	tellTeam(c.Context, std, changed)
	if !c.IsSet("client") {
		hintOtherClients(std, all[0], command.RootArg(c))
		if len(grouped(left.list)) > 0 {
			hintLeftovers(std, all[0], command.RootArg(c))
		}
	}
	return nil
}

// tellTeam says that files which git has are a team's, and how a person stops memctl alone.
func tellTeam(ctx context.Context, std command.Streams, changes []Change) {
	var shared []string
	for _, change := range changes {
		if change.Changed && isTracked(ctx, change.Settings) {
			shared = append(shared, filepath.Base(change.Settings))
		}
	}
	if len(shared) > 0 {
		console.Note(std.Err, "git has %s: once you commit this, memctl is gone for your team, too",
			strings.Join(shared, " and "))
		console.Hint(std.Err, "to stop it for yourself alone, restore them and set MEMCTL_HOOKS=off where your "+
			"agent starts")
	}
}

// leftIn returns the leftovers in the scope of an installation.
func leftIn(c *cli.Context, o Options) (left leftovers, err error) {
	if o.Scope == clients.UserScope {
		return left, left.ofUser(c.Context)
	}
	root, err := files.At(o.Project)
	if err != nil {
		root = files.Root{} // there are no memories
	}
	return left, left.ofProject(c.Context, o.Project, root)
}

// hintLeftovers names the command that removes leftovers.
func hintLeftovers(std command.Streams, o Options, root string) {
	line, from := scopedLine("memctl uninstall --leftovers", clients.ProjectScope, root), "in this project"
	if o.Scope == clients.UserScope {
		line, from = "memctl uninstall --all-projects", "in every project"
	}
	console.Hint(std.Err, "%q removes these files, and memctl from all agents %s; memories stay", line, from)
}

// hintOtherClients names the clients that still run memctl in the scope.
func hintOtherClients(std command.Streams, o Options, root string) {
	if names := registered(targetsOf(o.Scope, o.Project, clients.All()[1:])); len(names) > 0 {
		line := scopedLine("memctl uninstall --client "+strings.Join(names, ","), o.Scope, root)
		console.Hint(std.Err, "other agents still run memctl; \"%s\" removes it from them", line)
	}
}

// registered names the clients that have entries of memctl in their files.
func registered(targets []clients.Target) (names []string) {
	for _, t := range targets {
		if e, _ := t.Entries(); !e.IsEmpty() {
			names = append(names, t.Client.Name)
		}
	}
	return names
}

// projectFolder is the project of the memories in use, or of those that the first
// memory will make. MEMCTL_ROOT does not count: its memories may lie anywhere.
func projectFolder(rootFlag string) (string, error) {
	places := files.PlacesFromEnv(rootFlag, "")
	places.Env = ""
	root, _, err := files.FindOrPlan(places)
	if foreign := new(files.ForeignError); errors.As(err, &foreign) {
		root, err = foreign.Root, nil
	}
	if err != nil {
		return "", err
	}
	if root.Shown != files.RootPath {
		return "", fmt.Errorf("%s is a memory root outside of a project's %s; --root takes a project here",
			root.Path, files.RootPath)
	}
	return root.Project, nil
}
