package retrieve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Unresolved says that a name stands for no memory, or for several.
type Unresolved struct {
	reason string
	hint   string
}

func (u *Unresolved) Error() string { return u.reason }

// Hint says what to give instead.
func (u *Unresolved) Hint() string { return u.hint }

// Resolve finds what a person names: the path of a memory, which may be a broken
// file, or an id or the beginning of one.
func (s Source) Resolve(ctx context.Context, name string) (Ref, error) {
	below, err := s.Root.Below(name)
	if err != nil {
		return Ref{}, err
	}
	paths, err := Find(ctx, s.DB, below)
	switch {
	case err != nil:
		return Ref{}, err
	case len(paths) == 1:
		return s.refOf(ctx, paths[0])
	case len(paths) > 1:
		return Ref{}, &Unresolved{fmt.Sprintf("%q stands for %d memories", name, len(paths)), "give one of " + strings.Join(paths, ", ")}
	}
	ref, err := s.Lookup(ctx, strings.TrimSuffix(filepath.Base(below), ".json"))
	if err == nil && strings.Contains(below, "/") { // only an id may be abbreviated
		err = &Unclear{Name: name, Candidates: []string{ref.ID}}
	}
	return ref, unresolved(err, name)
}

// refOf returns the memory of a file. A broken file has no row in the index.
func (s Source) refOf(ctx context.Context, path string) (Ref, error) {
	refs, err := s.At(ctx, path)
	if err != nil || len(refs) == 0 {
		return Ref{Type: MemoryType, Path: path}, err
	}
	return refs[0], nil
}

func unresolved(err error, name string) error {
	unclear := new(Unclear)
	if !errors.As(err, &unclear) {
		return err
	}
	u := &Unresolved{unclear.Error(), unclear.Hint()}
	if !unclear.Ambiguous {
		u.reason = fmt.Sprintf("there is no memory %q", name)
	}
	if u.hint == "" {
		u.hint = `run "memctl list --status all" for what there is`
	}
	return u
}
