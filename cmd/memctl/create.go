package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func draftCategory(c *cli.Context) (schemas.Category, error) {
	if err := command.NoArguments(c, "; use --target PATH"); err != nil {
		return "", err
	}
	for _, name := range []string{"category", "input"} {
		if c.String(name) == "" {
			return "", console.Usagef("%s needs --%s", c.Command.Name, name)
		}
	}
	return command.ReadCategory(c.String("category"))
}

func printTemplate(c *cli.Context, std command.Streams) error {
	category, err := command.ReadCategory(c.String("template"))
	if err != nil {
		return err
	}
	_, err = io.WriteString(std.Out, schemas.FormOf(category).Template())
	return err
}

// runCreate writes the memory, and the rest of the memory root if it was only planned.
func runCreate(c *cli.Context, std command.Streams) error {
	if c.IsSet("template") {
		return printTemplate(c, std)
	}
	category, err := draftCategory(c)
	if err != nil {
		return err
	}
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	in, err := command.ReadInput(c, std, w.Root)
	if err != nil {
		return err
	}
	done, err := s.Save(c.Context, store.Notify, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(c.Context, category, c.String("target"), in)
	})
	if err != nil {
		return err
	}
	command.RemoveDraft(std, in)
	if err := command.CompleteRoot(std, s); err != nil {
		return err
	}
	return command.WriteJSON(std.Out, done)
}

func runUpdate(c *cli.Context, std command.Streams) error {
	name, err := command.MemoryName(c)
	if err != nil {
		return err
	}
	if c.String("input") == "" {
		return console.Usagef("update needs --input")
	}
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = command.FullName(c.Context, s, name); err != nil {
		return err
	}
	in, err := command.ReadInput(c, std, w.Root)
	if err != nil {
		return err
	}
	done, err := w.Update(c.Context, name, in, c.String("hash"))
	if err != nil {
		return err
	}
	command.RemoveDraft(std, in)
	command.OfferName(std, done.ID, done.Title)
	return command.WriteJSON(std.Out, done)
}

func runCandidate(c *cli.Context, std command.Streams) error {
	if !c.IsSet("category") {
		return console.Usagef("candidate needs --category: one of %s", command.CategoryNames())
	}
	category, err := command.ReadCategory(c.String("category"))
	if err != nil {
		return err
	}
	if !c.IsSet("new-info") {
		return console.Usagef("candidate needs --new-info: the text, or - for stdin")
	}
	a, err := command.FindAsker(c, std)
	if err != nil {
		return err
	}
	info := c.String("new-info")
	if info == "-" {
		command.NoteWaiting(std, "the information")
		data, err := writer.ReadAtMost(std.In)
		if err != nil {
			return fmt.Errorf("read --new-info from stdin: %w", err)
		}
		info = string(data)
	}
	a.Depth = store.Quick
	return command.InJSON[retrieve.Proposal](std)(command.ReadSources(c.Context, a.Store, a.Roots,
		func(s retrieve.Sources) (retrieve.Proposal, error) {
			return s.Propose(c.Context, a.Searcher, category, info, c.String("lifecycle-event"))
		}))
}

// moveCommand moves a memory, or archives it or takes it out of the archive if there is the flag.
func moveCommand(std command.Streams, name, flag, usage string, move, archived writer.Transition) *cli.Command {
	run := func(c *cli.Context, std command.Streams) error {
		if c.Bool(flag) {
			return runMove(c, std, archived)
		}
		return runMove(c, std, move)
	}
	return command.NewCommand(std, name, command.InProject, run, &cli.BoolFlag{Name: flag, Usage: usage})
}

func runMove(c *cli.Context, std command.Streams, move writer.Transition) error {
	name, err := command.MemoryName(c)
	if err != nil {
		return err
	}
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = command.FullName(c.Context, s, name); err != nil {
		return err
	}
	done, err := w.Move(c.Context, move, name, c.String("reason"))
	if err != nil || c.Bool("json") || command.TerminalOf(std.Out) == nil {
		return command.InJSON[writer.Moved](std)(done, err)
	}
	fmt.Fprintf(std.Out, "%s: %s\n", strings.ReplaceAll(done.Status, "_", " "), text.Printable(done.Target))
	id := text.ShellWord(command.StemOf(done.Target))
	if scope, _ := command.ReadScope(c); scope == files.UserScope {
		id += " --user"
	}
	switch done.Status {
	case "retired":
		console.Hint(std.Err, "run \"memctl restore %s\" to restore it", id)
	case "archived":
		console.Hint(std.Err, "run \"memctl restore %s --kept\" to restore it", id)
	}
	return nil
}

func runTransfer(c *cli.Context, std command.Streams) error {
	name, err := command.MemoryName(c)
	if err != nil {
		return err
	}
	to := files.ProjectScope
	switch c.String("to") {
	case "":
		return console.Usagef("move needs --to user or --to project")
	case files.UserScope.String():
		to = files.UserScope
	}
	from := command.ScopedStore(c, std, to.Other())
	source, err := from.Writer()
	if err != nil {
		return err
	}
	there := command.ScopedStore(c, std, to)
	target, err := there.Writer()
	if err != nil {
		return err
	}
	if name, err = command.FullName(c.Context, from, name); err != nil {
		return err
	}
	done, err := source.Transfer(c.Context, name, target)
	if err != nil {
		return err
	}
	if done.Status == "moved" {
		if err := command.CompleteRoot(std, there); err != nil {
			return err
		}
	}
	return command.WriteJSON(std.Out, done)
}

func stageCommand(std command.Streams) *cli.Command {
	put := command.NewCommand(std, "stage put", command.InProject, runStagePut)
	put.Description = std.Help().Read("contract")
	return command.Group(command.NewCommand(std, "stage", command.InProject, command.ShowSubcommands), put,
		command.NewCommand(std, "stage list", command.InProject, runStageList),
		command.NewCommand(std, "stage show", command.InProject, runStageShow),
		command.NewCommand(std, "stage save", command.InProject, runStageSave),
		command.NewCommand(std, "stage drop", command.InProject, runStageDrop))
}

// waitingNamed returns the candidate that the argument names.
func waitingNamed(c *cli.Context, root files.Root) (hooks.Candidate, error) {
	candidate, err := hooks.WaitingLine(root, c.Args().First())
	if errors.Is(err, hooks.ErrNoLine) {
		err = console.Refused(`run "memctl stage list" for the lines that wait`, "%w", err)
	}
	return candidate, err
}

func runStageSave(c *cli.Context, std command.Streams) error {
	s, w, err := command.NewWriter(c, std)
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

func runStageDrop(c *cli.Context, std command.Streams) error {
	root, _, err := command.ScopedStore(c, std, files.ProjectScope).RootOrPlanned()
	if err != nil {
		return err
	}
	candidate, err := waitingNamed(c, root)
	if err != nil {
		return err
	}
	return hooks.Settle(root, candidate)
}

func runStagePut(c *cli.Context, std command.Streams) error {
	category, err := draftCategory(c)
	if err != nil {
		return err
	}
	_, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	in, err := command.ReadInput(c, std, w.Root)
	if err != nil {
		return err
	}
	return command.InJSON[writer.Staged](std)(w.Stage(category, in))
}

// staged lists the contents of the staging folder.
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

func runStageList(c *cli.Context, std command.Streams) error {
	root, _, err := command.ScopedStore(c, std, files.ProjectScope).RootOrPlanned()
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
		return command.WriteJSON(std.Out, append(asAny(found.Files), asAny(found.Lines)...))
	}
	command.NoteNone(c, std, len(found.Files)+len(found.Lines), "nothing is staged")
	return std.Say(std.Out, "staged", found)
}

func listStaged(root files.Root) ([]stagedFile, error) {
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

func runStageShow(c *cli.Context, std command.Streams) error {
	root, _, err := command.ScopedStore(c, std, files.ProjectScope).RootOrPlanned()
	if err != nil {
		return err
	}
	name := c.Args().First()
	if !filepath.IsAbs(name) {
		name = filepath.Join(root.Staging(), name)
	}
	file, _, err := gate.OpenWithin(gate.Name(name), root.Staging())
	if err != nil {
		return console.Refused(`run "memctl stage list" for the files in `+root.Staging()+"; they are kept for a day",
			"read a staged file: %w", err)
	}
	defer file.Close()
	data, err := writer.ReadAtMost(file)
	if err == nil {
		_, err = std.Out.Write(command.WithNewline(data))
	}
	return err
}

func runTriage(c *cli.Context, std command.Streams) error {
	if c.NArg() != 1 {
		return console.Usagef("triage needs one transcript, got %d", c.NArg())
	}
	_, cfg, err := command.FindConfigured(c, std)
	if errors.Is(err, files.ErrNoRoot) && command.RootArg(c) == "" {
		cfg, err = schemas.DefaultConfig(), nil
	}
	if err != nil {
		return err
	}
	return command.Printed(c, std, "triage")(readTranscript(c.Args().First(), cfg))
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
