package main

import (
	"cmp"
	"path/filepath"

	"memctl/memdir"
	"memctl/render"

	"github.com/urfave/cli/v2"
)

const initDescription = `Creates .claude/memory/ with a folder for each category, a memory-config.json that
holds the settings at their defaults, and a .gitignore for the index. It keeps what is
there already, so it is safe to run again.

--observations also switches on the observation of the agent's tools
(docs/observations.md): what each tool did is kept, filtered and shortened, in
observations/, which git ignores.`

func initCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "init",
		Usage:       "create the memory root of a project",
		Description: initDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag(), &cli.BoolFlag{Name: "observations", Usage: "observe the agent's tools from now on"}},
		Before:      withoutArguments("; use --root DIR"),
		Action: func(c *cli.Context) error {
			path, err := memdir.Target(cmp.Or(rootArg(c), "."))
			if err != nil {
				return err
			}
			if err := runInit(c, std, path); err != nil || !c.Bool("observations") {
				return err
			}
			return switchOnObservations(c, std, path)
		},
	}
}

func runInit(c *cli.Context, std streams, path string) error {
	done, err := memdir.Init(path)
	if err != nil {
		return err
	}
	if !c.Bool("json") && !memdir.IgnoresIndex(path) {
		render.Hint(std.Err, "add index.db* to %s: the index is derived and should not be committed", filepath.Join(path, ".gitignore"))
	}
	return printResult(c, std, done, render.Initialized)
}

// switchOnObservations reports on stderr: the answer of init is on stdout.
func switchOnObservations(c *cli.Context, std streams, path string) error {
	root, err := memdir.At(path)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(root, std)
	if err != nil {
		return err
	}
	if err := setObserving(c.Context, writerOf(root, cfg, std), true); err != nil {
		return err
	}
	render.Note(std.Err, "tools are observed from now on")
	return nil
}
