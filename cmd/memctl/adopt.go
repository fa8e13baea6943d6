package main

import (
	"fmt"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

func adoptCommand(std streams) *cli.Command {
	return newCommand(std, "adopt", runAdopt,
		&cli.BoolFlag{Name: "anyway", Usage: "save it even if another memory says the same"},
		jsonFlag(),
		rootFlag())
}

// runAdopt makes a memory of a client's note.
func runAdopt(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	st, roots, err := findRoots(c, std)
	if err != nil {
		return err
	}
	note, err := readSources(c.Context, st, roots, func(sources retrieve.Sources) (retrieve.Ref, error) {
		return sources.Resolve(c.Context, name)
	})
	if err != nil {
		return err
	}
	if note.Root.Scope != memdir.NotesScope {
		return console.Refused(`"memctl list" marks the notes`, "%s is a memory already, not a note of Claude Code", note.Shown())
	}
	policy := store.Refuse
	if c.Bool("anyway") {
		policy = store.Anyway
	}
	done, err := st.Adopt(c.Context, policy, note.Root, note.Path)
	if err != nil {
		return err
	}
	if err := completeRoot(std, st); err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(std.Out, done)
	}
	_, err = fmt.Fprintln(std.Out, done.Target)
	return err
}
