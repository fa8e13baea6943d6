package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"memctl/cmd/console"
	"memctl/gate"
	"memctl/memdir"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func stageCommand(std streams) *cli.Command {
	put := newCommand(std, "stage put", runStagePut, rootFlag(), draftCategoryFlag(), inputFlag())
	put.Description = help.Read("contract")
	return group(newCommand(std, "stage", showSubcommands), put,
		newCommand(std, "stage list", runStageList, rootFlag(), jsonFlag()),
		newCommand(std, "stage show", runStageShow, rootFlag()))
}

func runStagePut(c *cli.Context, std streams) error {
	category, err := draftCategory(c)
	if err != nil {
		return err
	}
	_, w, err := newWriter(c, std)
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
}

// stagedFile describes a file of the staging folder.
type stagedFile struct {
	Name    string    `json:"name"`
	Size    int64     `json:"size_bytes"`
	Written time.Time `json:"written"`
}

func runStageList(c *cli.Context, std streams) error {
	root, _, err := scopedStore(c, std, memdir.ProjectScope).RootOrPlanned()
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

func runStageShow(c *cli.Context, std streams) error {
	if err := arguments(c, "FILE"); err != nil {
		return err
	}
	root, _, err := scopedStore(c, std, memdir.ProjectScope).RootOrPlanned()
	if err != nil {
		return err
	}
	return printStaged(std, root, c.Args().First())
}

func printStaged(std streams, root memdir.Root, name string) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(root.Staging(), name)
	}
	file, _, err := gate.OpenWithin(name, root.Staging())
	if err != nil {
		return console.Refused(`run "memctl stage list" for the files in `+root.Staging()+"; they are kept for a day",
			"read a staged file: %w", err)
	}
	defer file.Close()
	data, err := writer.ReadAtMost(file)
	if err == nil {
		_, err = std.Out.Write(withNewline(data))
	}
	return err
}
