package main

import (
	"strings"

	"memctl/install"
	"memctl/render"

	"github.com/urfave/cli/v2"
)

const uninstallDescription = `Removes from a settings.json of Claude Code the hooks that run memctl and the rules
that "memctl install --permissions" adds, from a project's .mcp.json the server that
--mcp adds, and nothing else. A file that was not edited since memctl was installed
gets its former bytes back; a file that install made is removed. Memories stay where
they are, and so do observations and their setting: without the hooks nothing is
observed.

In the project's scope it also takes out what "memctl install --git" added; --git takes
out only that.

--scope and --root are those of "memctl install".

Exit status: 0 done, or nothing was to be done; 1 the file cannot be read or written,
and was not changed; 2 wrong usage.`

func uninstallCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "uninstall",
		Usage:       "have Claude Code call memctl no more",
		Description: uninstallDescription,
		Flags:       []cli.Flag{rootFlag(), scopeFlag(), gitFlag("only take out what install --git added"), dryRunFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if c.Bool("git") {
				return runInstallGit(c, std, install.UnregisterGit, render.GitUnregistered)
			}
			o, err := installOptions(c)
			if err != nil {
				return err
			}
			change, err := install.Uninstall(c.Context, o)
			if err != nil {
				return err
			}
			registration, err := uninstallGit(c, o)
			if err != nil {
				return err
			}
			if err := printResult(c, std, installReport{Change: change, Git: registration}, printUninstalled); err != nil {
				return err
			}
			if len(change.OldBackups) > 0 && !c.Bool("json") {
				render.Hint(std.Err, "memctl no longer uses these backups, which version 0.1.0 made: %s", strings.Join(change.OldBackups, ", "))
			}
			return nil
		},
	}
}
