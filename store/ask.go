package store

import (
	"context"
	"fmt"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
)

// Ask runs fn on the indexes of roots, which it first brings up to date. It warns of a root
// other than the first whose index cannot be used, and leaves it out.
func (s *Store) Ask(ctx context.Context, roots []memdir.Root, fn func(retrieve.Sources) error) error {
	skipped, err := retrieve.Use(ctx, roots, s.Depth, fn)
	s.warnEach(skipped)
	return err
}

// Look is Ask for one root.
func (s *Store) Look(ctx context.Context, root memdir.Root, fn func(retrieve.Source) error) error {
	return indexer.Use(ctx, root, s.Depth, func(ix *indexer.Index) error {
		return fn(retrieve.Source{DB: ix.DB, Root: root})
	})
}

// State is what bringing an index up to date found.
type State struct {
	Active   int               // memories
	Broken   int               // files that are not readable as memories
	Problems []schemas.Problem // the first of them
	// Rebuilt, InMemory and Late are those of the indexer.Index.
	Rebuilt  *Summary
	InMemory error
	Late     bool
}

// Refresh compares every file of a root with the index, and says what there is.
func (s *Store) Refresh(ctx context.Context, root memdir.Root) (found State, err error) {
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		if cfg, err := s.Config(root); err == nil && !ix.Late && ix.InMemory == nil {
			if err := syncHistory(ctx, ix, root, cfg.Git.History, historyLimit); err != nil {
				s.warn(fmt.Errorf("the times of changes are those of the files: %w", err))
			}
		}
		return ix.View(ctx, func(tx *db.Tx) (err error) {
			found = State{Rebuilt: ix.Rebuilt, InMemory: ix.InMemory, Late: ix.Late}
			if found.Broken, err = tx.CountProblems(); err != nil {
				return err
			}
			if found.Problems, err = tx.Problems(1); err != nil {
				return err
			}
			counts, err := tx.Counts()
			found.Active = counts[schemas.Active]
			return err
		})
	})
	return found, err
}

// Record brings the rows of a file up to date that something else has written.
func (s *Store) Record(ctx context.Context, root memdir.Root, path string) error {
	return indexer.Record(ctx, root, []string{path}, s.Lasting)
}

// Summary is what a rebuild of an index found.
type Summary = indexer.Summary

// Private says what a file of a root holds that memctl would not have stored, "" for nothing.
func Private(root memdir.Root, at string) (string, error) {
	cfg, _, err := root.Config()
	if err != nil {
		cfg = schemas.DefaultConfig()
	}
	data, err := root.ReadFile(at)
	if err != nil {
		return "", nil // removed since
	}
	m, err := schemas.DecodeExact(data)
	if err != nil {
		return "", err
	}
	return m.Withheld(cfg.Privacy.Filter()).String(), nil
}
