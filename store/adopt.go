package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// ErrAdopted means that there is a memory that was made of a note.
var ErrAdopted = errors.New("a memory was made of it before")

// AdoptingScope says whose memory a note becomes: the user's own if it is about the user, since
// others read the project's.
func AdoptingScope(note *schemas.Memory) memdir.Scope {
	if slices.Contains(note.Tags, "user") {
		return memdir.UserScope
	}
	return memdir.ProjectScope
}

// Adopt makes a memory of the note at a path of a root of notes.
func (s *Store) Adopt(ctx context.Context, policy Policy, notes memdir.Root, path string) (done writer.Saved, err error) {
	data, err := notes.ReadFile(path)
	if err != nil {
		return done, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return done, err
	}
	if o := s.Options; AdoptingScope(&m) == memdir.UserScope && s.Scope != memdir.UserScope {
		o.Scope = memdir.UserScope
		s = Open(o)
	}
	root, err := s.Root()
	switch {
	case s.Scope == memdir.UserScope && errors.Is(err, memdir.ErrNoUserRoot):
		return done, text.WithHint(fmt.Errorf("%s is about you, and others read the project's memories", notes.ShownPath(path)),
			`"memctl init --user" makes a root for what is about you`)
	case err == nil:
		adopted := retrieve.AdoptedPath(path)
		if _, err := os.Lstat(root.Join(adopted)); err == nil {
			return done, fmt.Errorf("%s: %w: %s", notes.ShownPath(path), ErrAdopted, root.ShownPath(adopted))
		}
	}
	category, _ := schemas.CategoryOfPath(path)
	m.ID = text.Slug(m.ID) // or the writer says that it made it so
	if data, err = m.Encode(); err != nil {
		return done, err
	}
	return s.Save(ctx, policy, func(w *writer.Writer) (writer.Saved, error) {
		return w.Create(ctx, category, "", writer.Input{Name: notes.ShownPath(path), Data: data})
	})
}
