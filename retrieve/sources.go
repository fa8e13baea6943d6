// Package retrieve reads the index. It ranks memories for a prompt, one SQL
// statement for each strategy, explains a ranking, finds memories by id, lists
// them, and renders the block that a prompt receives. It writes nothing.
package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memctl/db"
	"memctl/files"
	"memctl/indexer"
)

// Sources are the indexes that a question is asked of, the project's first. A memory of a
// source may stand in place of memories of those after it.
type Sources []Source

// Use opens the indexes of the roots, as indexer.Use does, and runs fn on all of them, again
// with another index in place of one that fails. A root other than the first whose index
// cannot be used is left out; skipped says why. Roots lists the roots.
func Use(
	ctx context.Context, roots []files.Root, depth indexer.Depth, fn func(Sources) error,
) (skipped []error, err error) {
	var indexes []*indexer.Index // of sources
	var sources Sources
	skip := func(root files.Root, reason error) {
		skipped = append(skipped, fmt.Errorf("the memories of %s are not used: %w", root.Shown, reason))
	}
	defer func() {
		for _, ix := range indexes {
			err = errors.Join(err, ix.Release(err))
		}
	}()
	for i, root := range roots {
		ix, err := indexer.Open(ctx, root, depth)
		switch {
		case err == nil:
			indexes, sources = append(indexes, ix), append(sources, Source{DB: ix.DB, Root: root})
		case i == 0 || ctx.Err() != nil:
			return nil, err
		default:
			skip(root, err)
		}
	}
	for {
		err = fn(sources)
		i := sources.failed(err)
		if err == nil || ctx.Err() != nil || len(sources) == 0 || i == 0 && !indexes[0].Failed(err) {
			return skipped, err
		}
		if ix := indexes[i]; ix.Failed(err) {
			if indexes[i], err = ix.Another(ctx, err); err == nil {
				sources[i].DB = indexes[i].DB
				continue
			}
		} else {
			ix.Release(err)
		}
		root := sources[i].Root
		indexes, sources = slices.Delete(indexes, i, i+1), slices.Delete(sources, i, i+1)
		if i == 0 || ctx.Err() != nil {
			return skipped, err
		}
		skip(root, err)
	}
}

// failed returns the place of the source that an error is about, 0 if it is about none.
func (s Sources) failed(err error) int {
	failed := new(sourceError)
	if !errors.As(err, &failed) {
		return 0
	}
	return max(0, slices.IndexFunc(s, func(source Source) bool { return source.Root.Is(failed.root) }))
}

// Alone returns the sources of a question that is asked of one only.
func (s Source) Alone() Sources { return Sources{s} }

// sourceError is an error of one of several indexes.
type sourceError struct {
	root files.Root
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
func (s Sources) of(root files.Root) Source {
	i := slices.IndexFunc(s, func(source Source) bool { return source.Root.Is(root) })
	return s[max(i, 0)]
}

// first reports whether a root is that of the first source.
func (s Sources) first(root files.Root) bool { return root.Is(s[0].Root) }

// Source is an index that is up to date, and the root whose files it holds.
type Source struct {
	DB   *db.DB
	Root files.Root
	// NewBy says who wrote a memory of this content, "" if the user has seen it; nil for none is new.
	NewBy func(content string) string
}

// Values of Row.Type, Ref.Type, Event.Type, Timeline.Type and Detail.Type.
const (
	MemoryType      = "memory"
	ObservationType = "observation"
)

// maxWords is how many words of a sentence a query looks for.
const maxWords = 40
