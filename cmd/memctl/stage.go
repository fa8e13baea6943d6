package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const stageDescription = `The staging folder holds files on their way into a memory root: drafts, and what
"memctl hook stop" found: for each session a file of data and, for each category,
excerpts of the session. It lies in the temporary folder, one for each user and each
root. Files are kept for a day.

"put" checks a draft as "memctl create" does, fixes what create would fix, and keeps
it: the answer names a file that "memctl create --input" or "memctl update --input"
takes. "list" names the files of the folder, "show" prints one, which the agent's own
tools may not read.

   memctl stage list
   memctl stage show triage-5b2b1f0e-data.json`

func stageCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "stage",
		Usage:       "keep a checked draft for later; read what is staged",
		Description: stageDescription,
		Action: func(c *cli.Context) error {
			if name := c.Args().First(); name != "" {
				return console.Usagef("unknown subcommand %q of stage: expected put, list or show", name)
			}
			return cli.ShowSubcommandHelp(c)
		},
		Subcommands: []*cli.Command{stagePutCommand(std), stageListCommand(std), stageShowCommand(std)},
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
			in, err := readInput(c, std, w.Root)
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

// stagedFile describes a file of the staging folder.
type stagedFile struct {
	Name    string    `json:"name"`
	Size    int64     `json:"size_bytes"`
	Written time.Time `json:"written"`
}

func stageListCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:   "list",
		Usage:  "list the drafts and the excerpts of sessions",
		Flags:  []cli.Flag{rootFlag(), jsonFlag()},
		Before: withoutArguments(""),
		Action: func(c *cli.Context) error {
			root, _, err := memdir.FindOrPlan(places(c))
			if err != nil {
				return err
			}
			files, err := listStaged(root)
			if err != nil {
				return err
			}
			if len(files) == 0 && !c.Bool("json") {
				term.Note(std.Err, "nothing is staged")
				return nil
			}
			return printResult(c, std, files, func(out io.Writer, files []stagedFile) {
				for _, f := range files {
					fmt.Fprintf(out, "%s  %8d  %s\n", f.Written.Format("2006-01-02 15:04:05"), f.Size, text.Printable(f.Name))
				}
			})
		},
	}
}

func listStaged(root memdir.Root) ([]stagedFile, error) {
	staged, err := root.OpenStaging()
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	files, err := staged.List()
	list := []stagedFile{}
	for _, f := range files {
		list = append(list, stagedFile{f.Name, f.Size, f.Written.UTC().Truncate(time.Second)})
	}
	return list, err
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
		return &console.Failure{Err: fmt.Errorf("read a staged file: %w", err), Hint: `run "memctl stage list" for the files in ` + root.Staging() + "; they are kept for a day", Code: console.ExitFailed}
	}
	defer file.Close()
	data, err := writer.ReadAtMost(file)
	if err == nil {
		_, err = std.Out.Write(withNewline(data))
	}
	return err
}
