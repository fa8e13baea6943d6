package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memctl/indexer"
	"memctl/memdir"
)

// Sources are the indexes that a question is asked of, the project's first. A memory of a
// source may stand in place of memories of those after it.
type Sources []Source

// Use opens the indexes of the roots, one after the other, as indexer.Use does, and runs
// fn on all of them. A root other than the first whose index cannot be used is left out;
// skipped says why. Roots lists the roots.
func Use(ctx context.Context, roots []memdir.Root, depth indexer.Depth, fn func(Sources) error) (skipped []error, err error) {
	o := opening{ctx: ctx, depth: depth, fn: fn}
	err = o.open(roots, nil)
	return o.skipped, err
}

type opening struct {
	ctx     context.Context
	depth   indexer.Depth
	fn      func(Sources) error
	skipped []error
}

// open opens the indexes of roots after those in sources.
func (o *opening) open(roots []memdir.Root, sources Sources) error {
	if len(roots) == 0 {
		return o.fn(sources)
	}
	root, skipped := roots[0], len(o.skipped)
	var inside error // what the indexes after this one, or fn, came to
	err := indexer.Use(o.ctx, root, o.depth, func(ix *indexer.Index) error {
		o.skipped = o.skipped[:skipped]
		inside = o.open(roots[1:], append(slices.Clip(sources), Source{DB: ix.DB, Root: root}))
		if failed := new(sourceError); errors.As(inside, &failed) && !failed.root.Is(root) {
			return nil // another index is the cause: keep this one
		}
		return inside
	})
	if err == nil {
		err = inside
	}
	failed := new(sourceError)
	unusable := inside == nil || errors.As(inside, &failed) && failed.root.Is(root)
	if err == nil || len(sources) == 0 || !unusable || o.ctx.Err() != nil {
		return err
	}
	o.skipped = append(o.skipped[:skipped], fmt.Errorf("the memories of %s are not used: %w", root.Shown, err))
	return o.open(roots[1:], sources)
}

// sourceError is an error of one of several indexes.
type sourceError struct {
	root memdir.Root
	err  error
}

func (e *sourceError) Error() string { return e.err.Error() }

func (e *sourceError) Unwrap() error { return e.err }

// each calls fn for each source, and says whose index an error is about.
func (s Sources) each(fn func(Source) error) error {
	for _, source := range s {
		if err := fn(source); err != nil {
			return &sourceError{source.Root, err}
		}
	}
	return nil
}

// of returns the source of a root.
func (s Sources) of(root memdir.Root) Source {
	i := slices.IndexFunc(s, func(source Source) bool { return source.Root.Is(root) })
	return s[max(i, 0)]
}

// first reports whether a root is that of the first source.
func (s Sources) first(root memdir.Root) bool { return root.Is(s[0].Root) }
