package main

import (
	"fmt"
	"time"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// writeContract ends the help of every command that writes.
func targetFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "target", Usage: usage}
}

func inputFlag() cli.Flag {
	return &cli.StringFlag{Name: "input", Usage: "read the memory from `FILE`, JSON that may have comments; - is stdin. A staged file is removed when done"}
}

// readInput reads the draft that inputFlag names. Drafts are staged for the project, also
// if they become the user's memories.
func readInput(c *cli.Context, std streams, root memdir.Root) (writer.Input, error) {
	name := c.String("input")
	if name == "-" {
		noteWaiting(std, "the memory")
	}
	if scope, _ := readScope(c); scope == memdir.UserScope {
		if project, _, err := memdir.FindOrPlan(places(c)); err == nil {
			root = project
		}
	}
	return console.Interruptible(c.Context, func() (writer.Input, error) { return writer.ReadInput(root, name, std.In) })
}

// noteWaiting tells a person at a terminal that memctl reads what they type.
func noteWaiting(std streams, what string) {
	if term.IsTerminal(std.In) {
		term.Note(std.Err, "reading %s from the terminal; press Ctrl-D on an empty line to end it", what)
	}
}

// required returns an error if one of the flags is missing, or if there is an
// argument that belongs to no flag.
func required(c *cli.Context, names ...string) error {
	if err := noArguments(c, "; use --target PATH"); err != nil {
		return err
	}
	for _, name := range names {
		if c.String(name) == "" {
			return console.Usagef("%s needs --%s", c.Command.Name, name)
		}
	}
	return nil
}

// writeStep runs between the steps of a change. Tests kill the process there.
var writeStep func()

// newWriter returns the writer of the root in use. If there is no root, planned is
// true and the writer is that of the root that create would make.
func newWriter(c *cli.Context, std streams) (w *writer.Writer, planned bool, err error) {
	scope, err := readScope(c)
	if err != nil {
		return nil, false, err
	}
	return scopedWriter(c, std, scope)
}

// scopedWriter is newWriter for a scope.
func scopedWriter(c *cli.Context, std streams, scope memdir.Scope) (w *writer.Writer, planned bool, err error) {
	var root memdir.Root
	if scope == memdir.UserScope {
		root, planned, err = memdir.FindOrPlanUser()
	} else {
		root, planned, err = memdir.FindOrPlan(places(c))
	}
	cfg := schemas.DefaultConfig()
	if err == nil && !planned {
		cfg, err = loadConfig(root, std)
	}
	if err != nil {
		return nil, false, err
	}
	w = writerOf(root, cfg, std)
	w.Other = otherRoot(c, scope, root)
	return w, planned, nil
}

func writerOf(root memdir.Root, cfg schemas.Config, std streams) *writer.Writer {
	notify := func(notice string) { fmt.Fprintln(std.Err, text.Printable(notice)) }
	return &writer.Writer{Root: root, Config: cfg, Now: time.Now, Notify: notify, Step: writeStep}
}

// existingWriter is newWriter for commands that need a root.
func existingWriter(c *cli.Context, std streams) (*writer.Writer, error) {
	w, planned, err := newWriter(c, std)
	switch {
	case err == nil && planned && w.Root.Scope == memdir.UserScope:
		err = memdir.ErrNoUserRoot
	case err == nil && planned:
		err = memdir.ErrNoRoot
	}
	return w, err
}

// removeDraft removes the file of a draft that has been written as a memory.
func removeDraft(std streams, in writer.Input) {
	if err := in.Remove(); err != nil {
		term.Warning(std.Err, "the draft could not be removed: %v", err)
	}
}
