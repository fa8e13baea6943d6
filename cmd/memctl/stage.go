package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/gate"
	"memctl/hooks"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func stageCommand(std streams) *cli.Command {
	put := newCommand(std, "stage put", runStagePut)
	put.Description = help.Read("contract")
	return group(newCommand(std, "stage", showSubcommands), put,
		newCommand(std, "stage list", runStageList),
		newCommand(std, "stage show", runStageShow),
		newCommand(std, "stage save", runStageSave),
		newCommand(std, "stage drop", runStageDrop))
}

// waitingNamed returns the candidate that the argument names.
func waitingNamed(c *cli.Context, root memdir.Root) (hooks.Candidate, error) {
	candidate, err := hooks.WaitingLine(root, c.Args().First())
	if errors.Is(err, hooks.ErrNoLine) {
		err = console.Refused(`run "memctl stage list" for the lines that wait`, "%w", err)
	}
	return candidate, err
}

func runStageSave(c *cli.Context, std streams) error {
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	candidate, err := waitingNamed(c, w.Root)
	if err != nil {
		return err
	}
	a := addition{text: candidate.Text, given: &schemas.Memory{}}
	if err := a.saveAndShow(c, std, s, w); err != nil {
		return err
	}
	return hooks.Settle(w.Root, candidate)
}

func runStageDrop(c *cli.Context, std streams) error {
	root, _, err := scopedStore(c, std, memdir.ProjectScope).RootOrPlanned()
	if err != nil {
		return err
	}
	candidate, err := waitingNamed(c, root)
	if err != nil {
		return err
	}
	return hooks.Settle(root, candidate)
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
	return inJSON[writer.Staged](std)(w.Stage(category, in))
}

// staged is what waits in the staging folder.
type staged struct {
	Files []stagedFile
	Lines []hooks.Candidate // of sessions, which nobody was asked about
}

// asAny is a list for one with other things in it.
func asAny[T any](list []T) []any {
	all := make([]any, len(list))
	for i, item := range list {
		all[i] = item
	}
	return all
}

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
	var found staged
	if found.Files, err = listStaged(root); err != nil {
		return err
	}
	if found.Lines, err = hooks.Waiting(root); err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(std.Out, append(asAny(found.Files), asAny(found.Lines)...))
	}
	noteNone(c, std, len(found.Files)+len(found.Lines), "nothing is staged")
	return say(std.Out, "staged", found)
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
	root, _, err := scopedStore(c, std, memdir.ProjectScope).RootOrPlanned()
	if err != nil {
		return err
	}
	name := c.Args().First()
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

func runTriage(c *cli.Context, std streams) error {
	if c.NArg() != 1 {
		return console.Usagef("triage needs one transcript, got %d", c.NArg())
	}
	_, cfg, err := findConfigured(c, std)
	if errors.Is(err, memdir.ErrNoRoot) && rootArg(c) == "" {
		cfg, err = schemas.DefaultConfig(), nil
	}
	if err != nil {
		return err
	}
	return printed(c, std, "triage")(readTranscript(c.Args().First(), cfg))
}

func readTranscript(path string, cfg schemas.Config) (clients.Scores, error) {
	file, size, err := gate.OpenRegular(path)
	if err != nil {
		return clients.Scores{}, err
	}
	defer file.Close()
	report, err := clients.Score(file, size, cfg)
	if err != nil {
		return clients.Scores{}, fmt.Errorf("read %s: %w", path, err)
	}
	return report, nil
}
