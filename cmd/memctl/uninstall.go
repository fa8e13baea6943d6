package main

import (
	"context"
	"os"

	"github.com/urfave/cli/v2"
)

const uninstallDescription = `Removes from a settings.json of Claude Code the hooks that run memctl and the rules
that "memctl install --permissions" adds, from a project's .mcp.json the server that
--mcp adds, and nothing else. A file that nobody has
edited since memctl was installed gets its former bytes back; one that install made
is removed. Memories stay where they are, and so do observations and their setting:
without the hooks nothing is observed.

--scope and --root are those of "memctl install".

Exit status: 0 done, or nothing was to be done; 1 the file cannot be read or written,
and was not changed; 2 wrong usage.`

func uninstallCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "uninstall",
		Usage:       "have Claude Code call memctl no more",
		Description: uninstallDescription,
		Flags:       []cli.Flag{rootFlag(), scopeFlag(), dryRunFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			p, err := placeArg(c)
			if err != nil {
				return err
			}
			return runUninstall(c.Context, std, p, c.Bool("dry-run"), c.Bool("json"))
		},
	}
}

func runUninstall(ctx context.Context, std streams, p place, dryRun, asJSON bool) error {
	return editSettings(ctx, p.path, func(file settingsFile, was former) error {
		change := newSettingsChange(p, file, was.data, dryRun)
		if err := change.apply(was.needsCopy()); err != nil {
			return err
		}
		if change.Changed && was.copy != "" && !dryRun {
			if err := os.Remove(was.copy); err != nil { // it has no more to tell
				return err
			}
		}
		if p.scope == scopeProject {
			server, err := uninstallServer(ctx, p, dryRun)
			if err != nil {
				return err
			}
			if server.Changed {
				change.Server = server
			}
		}
		return change.print(std.Out, asJSON, "uninstalled from", "not installed in")
	})
}
