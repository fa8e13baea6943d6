package main

import (
	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/store"
	"memctl/term"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func targetFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "target", Usage: usage}
}

func inputFlag() cli.Flag {
	return &cli.StringFlag{Name: "input",
		Usage: "read the memory from `FILE`, JSON that may have comments; - is stdin. A staged file is removed when done"}
}

// readInput reads the draft that inputFlag names. Drafts are staged for the project, also
// if they become the user's memories.
func readInput(c *cli.Context, std streams, root memdir.Root) (writer.Input, error) {
	name := c.String("input")
	if name == "-" {
		noteWaiting(std, "the memory")
	}
	if scope, _ := readScope(c); scope == memdir.UserScope {
		if project, _, err := scopedStore(c, std, memdir.ProjectScope).RootOrPlanned(); err == nil {
			root = project
		}
	}
	return console.Interruptible(c.Context,
		func() (writer.Input, error) { return writer.ReadInput(root, name, std.In) })
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

// newWriter returns the store and the writer of the root in use, or of the one that create
// would make.
func newWriter(c *cli.Context, std streams) (*store.Store, *writer.Writer, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.Writer()
	return s, w, err
}

// existingWriter is newWriter for commands that need a root.
func existingWriter(c *cli.Context, std streams) (*writer.Writer, error) {
	s, err := openStore(c, std)
	if err != nil {
		return nil, err
	}
	return s.ExistingWriter()
}

// removeDraft removes the file of a draft that has been written as a memory.
func removeDraft(std streams, in writer.Input) {
	if err := in.Remove(); err != nil {
		term.Warning(std.Err, "the draft could not be removed: %v", err)
	}
}
