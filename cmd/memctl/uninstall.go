package main

import (
	"strings"

	"memctl/clients"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

const uninstallDescription = `Removes from the settings of Claude Code, or of the agents that --client names, the
hooks that run memctl, the rules that "memctl install --permissions" adds and the
server that --mcp adds, and nothing else. A file that was not edited since memctl was
installed gets its former bytes back; a file that install made is removed. Memories
stay where they are, and so do observations and their setting: without the hooks
nothing is observed.

For Claude Code in the project's scope it also takes out what "memctl install --git" added; --git takes
out only that.

--client, --scope and --root are those of "memctl install". A server in a file that
another agent reads too stays until memctl leaves the last of them.

Exit status: 0 done, or nothing was to be done; 1 the file cannot be read or written,
and was not changed; 2 wrong usage.`

func uninstallCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "uninstall",
		Usage:       "stop Claude Code or other agents from calling memctl",
		Description: uninstallDescription,
		Flags: []cli.Flag{
			rootFlag(), clientsFlag(), scopeFlag(), gitFlag("only take out what install --git added"), dryRunFlag(), jsonFlag(),
		},
		Action: func(c *cli.Context) error { return runUninstall(c, std) },
	}
}

func runUninstall(c *cli.Context, std streams) error {
	if c.Bool("git") {
		return runInstallGit(c, std, true)
	}
	if err := noArguments(c, "; use --scope SCOPE"); err != nil {
		return err
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
