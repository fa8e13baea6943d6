package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/retrieve"
)

// resolve finds what a person named: a path of a memory, which may be a broken
// file, or an id or the beginning of one.
func resolve(ctx context.Context, source retrieve.Source, name string) (retrieve.Ref, error) {
	asked, err := source.Root.Below(name)
	if err != nil {
		return retrieve.Ref{}, err
	}
	paths, err := retrieve.Find(ctx, source.DB, asked)
	switch {
	case err != nil:
		return retrieve.Ref{}, err
	case len(paths) == 1:
		return atPath(ctx, source, paths[0])
	case len(paths) > 1:
		return retrieve.Ref{}, &failure{err: fmt.Errorf("%q stands for %d memories", name, len(paths)),
			hint: "give one of " + strings.Join(paths, ", "), code: exitFailed}
	}
	ref, err := source.Lookup(ctx, strings.TrimSuffix(filepath.Base(asked), ".json"))
	if err == nil && strings.Contains(asked, "/") { // a path has no beginnings
		err = &retrieve.Unclear{Name: name, Candidates: []string{ref.ID}}
	}
	return ref, unclear(err, name)
}

// unclear is an error of an id, with what to do about it.
func unclear(err error, name string) error {
	u := new(retrieve.Unclear)
	if !errors.As(err, &u) {
		return err
	}
	f := &failure{err: u, hint: u.Hint(), code: exitFailed}
	if !u.Ambiguous {
		f.err = fmt.Errorf("there is no memory %q", name)
	}
	if f.hint == "" {
		f.hint = `run "memctl list --status all" for what there is`
	}
	return f
}

// atPath is the memory of a file; a broken file has no row.
func atPath(ctx context.Context, source retrieve.Source, path string) (retrieve.Ref, error) {
	refs, err := source.At(ctx, path)
	if err != nil || len(refs) == 0 {
		return retrieve.Ref{Type: retrieve.MemoryType, Path: path}, err
	}
	return refs[0], nil
}
