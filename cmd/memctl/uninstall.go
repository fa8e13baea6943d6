package main

import (
	"strings"

	"memctl/clients"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

func uninstallCommand(std streams) *cli.Command {
	return newCommand(std, "uninstall", runUninstall, rootFlag(), clientsFlag(), scopeFlag(),
		gitFlag("only take out what install --git added"), dryRunFlag(), jsonFlag())
}

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
		o, err := installOptions(c, client)
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
		term.Hint(std.Err, "other agents still run memctl; \"%s\" removes it from them", line)
	}
}
