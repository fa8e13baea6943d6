package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

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
	done, err := adoptNote(c, std, st, note.Root, note.Path, policy)
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

// errAdopted means that there is a memory that was made of a note.
var errAdopted = errors.New("a memory was made of it before")

// adoptNote saves the memory that a root of notes has at a path: among the user's own if it is
// about the user.
func adoptNote(
	c *cli.Context, std streams, st *store.Store, notes memdir.Root, path string, policy store.Policy,
) (done writer.Saved, err error) {
	data, err := notes.ReadFile(path)
	if err != nil {
		return done, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return done, err
	}
	if slices.Contains(m.Tags, "user") {
		st = scopedStore(c, std, memdir.UserScope)
		if _, err := st.Root(); err != nil {
			return done, console.Refused(`"memctl init --user" makes a root for what is about you`,
				"%s is about you, and others read the project's memories", notes.ShownPath(path))
		}
	}
	adopted := retrieve.AdoptedPath(path)
	if root, err := st.Root(); err == nil {
		if _, err := os.Lstat(root.Join(adopted)); err == nil {
			return done, fmt.Errorf("%s: %w: %s", notes.ShownPath(path), errAdopted, root.ShownPath(adopted))
		}
	}
	category, _ := schemas.CategoryOfPath(path)
	m.ID = text.Slug(m.ID) // or the writer says that it made it so
	if data, err = m.Encode(); err != nil {
		return done, err
	}
	return st.Save(c.Context, policy, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(c.Context, category, "", writer.Input{Name: notes.ShownPath(path), Data: data})
	})
}
