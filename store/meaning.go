package store

import (
	"context"
	"fmt"

	"memctl/files"
	"memctl/indexer"
	"memctl/privacy"
	"memctl/retrieve"
)

// Model returns the user's model, nil for none. It warns of settings that are wrong.
func (s *Store) Model() retrieve.Model {
	if s.hasModel {
		return s.model
	}
	model, err := s.UserModel.Find(s.user)
	if err != nil {
		s.warn(fmt.Errorf("memories are found by words alone: %w", err))
	}
	s.model, s.hasModel = model, true
	return model
}

// MakeVectors makes the vectors of what has none in a root, until ctx ends. What is left the
// next session's start, save or reindex makes. Progress may be nil.
func (s *Store) MakeVectors(
	ctx context.Context, root files.Root, progress func(done, total int),
) (done int, err error) {
	model := s.Model()
	if model == nil {
		return 0, nil
	}
	cfg, err := s.Config(root)
	if err != nil {
		return 0, err
	}
	err = indexer.Use(ctx, root, indexer.Usual, func(ix *indexer.Index) error {
		if ix.InMemory != nil || ix.Late {
			return nil
		}
		done, err = model.MakeVectors(ctx, retrieve.VectorWork{
			Root: root, DB: ix.DB, Progress: progress,
			Privacy: func(string) privacy.Options { return cfg.Privacy },
		})
		return err
	})
	return done, err
}

// makeSaved is MakeVectors after a save. No one waits for it, so an error is not reported.
func (s *Store) makeSaved(ctx context.Context, root files.Root) {
	ctx, cancel := context.WithTimeout(ctx, retrieve.VectorTime)
	defer cancel()
	_, _ = s.MakeVectors(ctx, root, nil)
}

// makeVectors makes the vectors of what has none in the catalogue, until ctx ends. Each text is filtered by
// the settings of its own root. Progress may be nil.
func (c *Catalogue) makeVectors(ctx context.Context, progress func(done, total int)) error {
	model, err := c.UserModel.Find(&c.user)
	if model == nil || err != nil {
		return err
	}
	roots, err := c.roots(ctx)
	if err != nil {
		return err
	}
	filters := map[string]privacy.Options{} // by the path of the root
	_, err = model.MakeVectors(ctx, retrieve.VectorWork{
		Root: c.folder, DB: c.db, Progress: progress,
		Privacy: func(path string) privacy.Options {
			root, _, _ := roots.of(path)
			if _, known := filters[root.Path]; !known {
				cfg, _, err := root.Config()
				if err != nil {
					cfg = c.user
				}
				filters[root.Path] = cfg.Privacy
			}
			return filters[root.Path]
		},
	})
	return err
}
