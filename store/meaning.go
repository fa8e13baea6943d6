package store

import (
	"context"
	"fmt"

	"memctl/features/meaning"
	"memctl/files"
	"memctl/indexer"
	"memctl/privacy"
)

// Meaning returns the server that the user has for vectors, nil for none. It warns of settings
// that are wrong.
func (s *Store) Meaning() *meaning.Settings {
	if s.meant != nil {
		return *s.meant
	}
	settings, err := meaning.UserSettings(s.user)
	if err != nil {
		s.warn(fmt.Errorf("memories are found by words alone: %w", err))
	}
	s.meant = &settings
	return settings
}

// MakeVectors makes the vectors of what has none in a root, until ctx ends. What is left the
// next session's start, save or reindex makes. Progress may be nil.
func (s *Store) MakeVectors(
	ctx context.Context, root files.Root, progress func(done, total int),
) (done int, err error) {
	settings := s.Meaning()
	if settings == nil {
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
		done, err = meaning.Work{
			Settings: settings, Root: root, DB: ix.DB, Progress: progress,
			Privacy: func(string) privacy.Options { return cfg.Privacy },
		}.Do(ctx)
		return err
	})
	return done, err
}

// makeSaved is MakeVectors after a save. No one waits for it, so an error is not reported.
func (s *Store) makeSaved(ctx context.Context, root files.Root) {
	ctx, cancel := context.WithTimeout(ctx, meaning.ShortTime)
	defer cancel()
	_, _ = s.MakeVectors(ctx, root, nil)
}

// makeVectors makes the vectors of what has none in the catalogue, until ctx ends. Each text is filtered by
// the settings of its own root. Progress may be nil.
func (c *Catalogue) makeVectors(ctx context.Context, progress func(done, total int)) error {
	settings, err := meaning.UserSettings(&c.user)
	if err != nil {
		return err
	}
	roots, err := c.roots(ctx)
	if err != nil {
		return err
	}
	filters := map[string]privacy.Options{} // by the path of the root
	_, err = meaning.Work{
		Settings: settings, Root: c.folder, DB: c.db, Progress: progress,
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
	}.Do(ctx)
	return err
}
