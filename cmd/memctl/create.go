package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func draftCategory(c *cli.Context) (schemas.Category, error) {
	if err := noArguments(c, "; use --target PATH"); err != nil {
		return "", err
	}
	for _, name := range []string{"category", "input"} {
		if c.String(name) == "" {
			return "", console.Usagef("%s needs --%s", c.Command.Name, name)
		}
	}
	return readCategory(c.String("category"))
}

func printTemplate(c *cli.Context, std streams) error {
	category, err := readCategory(c.String("template"))
	if err != nil {
		return err
	}
	form, err := schemas.FormOf(category)
	if err == nil {
		_, err = io.WriteString(std.Out, form.Template())
	}
	return err
}

// runCreate writes the memory, and the rest of the memory root if it was only planned.
func runCreate(c *cli.Context, std streams) error {
	if c.IsSet("template") {
		return printTemplate(c, std)
	}
	category, err := draftCategory(c)
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	in, err := readInput(c, std, w.Root)
	if err != nil {
		return err
	}
	done, err := s.Save(c.Context, store.Tell, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(c.Context, category, c.String("target"), in)
	})
	if err != nil {
		return err
	}
	removeDraft(std, in)
	if err := completeRoot(std, s); err != nil {
		return err
	}
	return writeJSON(std.Out, done)
}

func runUpdate(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	if c.String("input") == "" {
		return console.Usagef("update needs --input")
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, s, name); err != nil {
		return err
	}
	in, err := readInput(c, std, w.Root)
	if err != nil {
		return err
	}
	done, err := w.Update(c.Context, name, in, c.String("hash"))
	if err != nil {
		return err
	}
	removeDraft(std, in)
	return writeJSON(std.Out, done)
}

func runCandidate(c *cli.Context, std streams) error {
	if !c.IsSet("category") {
		return console.Usagef("candidate needs --category: one of %s", categoryNames())
	}
	category, err := readCategory(c.String("category"))
	if err != nil {
		return err
	}
	if !c.IsSet("new-info") {
		return console.Usagef("candidate needs --new-info: the text, or - for stdin")
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	info := c.String("new-info")
	if info == "-" {
		noteWaiting(std, "the information")
		data, err := writer.ReadAtMost(std.In)
		if err != nil {
			return fmt.Errorf("read --new-info from stdin: %w", err)
		}
		info = string(data)
	}
	a.Depth = store.Quick
	return inJSON[retrieve.Proposal](std)(readSources(c.Context, a.Store, a.roots,
		func(s retrieve.Sources) (retrieve.Proposal, error) {
			return s.Propose(c.Context, a.searcher, category, info, c.String("lifecycle-event"))
		}))
}

// moveCommand moves a memory, or archives it or takes it out of the archive if there is the flag.
func moveCommand(std streams, name, flag, usage string, move, archived writer.Transition) *cli.Command {
	run := func(c *cli.Context, std streams) error {
		if c.Bool(flag) {
			return runMove(c, std, archived)
		}
		return runMove(c, std, move)
	}
	return newCommand(std, name, run, &cli.BoolFlag{Name: flag, Usage: usage})
}

func runMove(c *cli.Context, std streams, move writer.Transition) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, s, name); err != nil {
		return err
	}
	done, err := w.Move(c.Context, move, name, c.String("reason"))
	if err != nil || c.Bool("json") || terminalOf(std.Out) == nil {
		return inJSON[writer.Moved](std)(done, err)
	}
	fmt.Fprintf(std.Out, "%s: %s\n", strings.ReplaceAll(done.Status, "_", " "), text.Printable(done.Target))
	id := text.ShellWord(stemOf(done.Target))
	if scope, _ := readScope(c); scope == memdir.UserScope {
		id += " --user"
	}
	switch done.Status {
	case "retired":
		console.Hint(std.Err, "\"memctl restore %s\" brings it back", id)
	case "archived":
		console.Hint(std.Err, "\"memctl restore %s --kept\" brings it back", id)
	}
	return nil
}

func runTransfer(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	to := memdir.ProjectScope
	switch c.String("to") {
	case "":
		return console.Usagef("move needs --to user or --to project")
	case memdir.UserScope.String():
		to = memdir.UserScope
	}
	from := scopedStore(c, std, to.Other())
	source, err := from.Writer()
	if err != nil {
		return err
	}
	there := scopedStore(c, std, to)
	target, err := there.Writer()
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, from, name); err != nil {
		return err
	}
	done, err := source.Transfer(c.Context, name, target)
	if err != nil {
		return err
	}
	if done.Status == "moved" {
		if err := completeRoot(std, there); err != nil {
			return err
		}
	}
	return writeJSON(std.Out, done)
}
