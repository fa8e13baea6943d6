package main

import (
	"fmt"
	"path/filepath"

	"memctl/memdir"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const stageDescription = `The staging folder holds files on their way into a memory root: drafts, and the context
files that "memctl hook stop" writes. It lies in the temporary folder, one for each
user and each root.

"put" checks a draft as "memctl create" does, fixes what create would fix, and keeps
it: the answer names a file that "memctl create --input" or "memctl update --input"
takes. "show" prints a file of the folder, which the agent's own tools may not read.`

func stageCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "stage",
		Usage:       "keep a checked draft for later; read what is staged",
		Description: stageDescription,
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); name != "" {
				return usagef("unknown subcommand %q of stage: expected put or show", name)
			}
			return cli.ShowSubcommandHelp(c)
		},
		Subcommands: []*cli.Command{stagePutCommand(std), stageShowCommand(std)},
	}
}

func stagePutCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "put",
		Usage:       "check a draft and keep it in the staging folder",
		Description: writeContract,
		Flags:       []cli.Flag{rootFlag(), draftCategoryFlag(), inputFlag()},
		Action: func(c *cli.Context) error {
			category, err := draftCategory(c)
			if err != nil {
				return err
			}
			w, _, err := newWriter(c, std)
			if err != nil {
				return err
			}
			in, err := writer.ReadInput(w.Root, c.String("input"), std.In)
			if err != nil {
				return err
			}
			staged, err := w.Stage(category, in)
			if err != nil {
				return err
			}
			return writeJSON(std.Out, staged)
		},
	}
}

func stageShowCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print a file of the staging folder",
		ArgsUsage: "FILE",
		Flags:     []cli.Flag{rootFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, "FILE"); err != nil {
				return err
			}
			root, _, err := memdir.FindOrPlan(places(c))
			if err != nil {
				return err
			}
			return runStageShow(std, root, c.Args().First())
		},
	}
}

func runStageShow(std streams, root memdir.Root, name string) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(root.Staging(), name)
	}
	file, _, err := memdir.OpenWithin(name, root.Staging())
	if err != nil {
		return &failure{err: fmt.Errorf("read a staged file: %w", err), hint: "staged files lie in " + root.Staging() + ", for a day", code: exitFailed}
	}
	defer file.Close()
	data, err := writer.ReadAtMost(file)
	if err == nil {
		_, err = std.Out.Write(withNewline(data))
	}
	return err
}
