package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/indexer"
	"memctl/meaning"
	"memctl/memdir"
)

// savedTime is how long a save goes on with the vectors of what has none.
const savedTime = time.Second

// Meaning returns the server that the user has for vectors, nil for none. It warns of settings
// that are wrong.
func (s *Store) Meaning() *meaning.Settings {
	if s.meant != nil {
		return *s.meant
	}
	s.meant = new(*meaning.Settings)
	settings, err := meaning.UserSettings(s.user)
	switch {
	case err == nil:
		*s.meant = &settings
	case !errors.Is(err, meaning.ErrOff):
		s.warn(fmt.Errorf("memories are found by words alone: %w", err))
	}
	return *s.meant
}

// MakeVectors makes the vectors of what has none in a root, until ctx ends. What is left the
// next session's start, save or reindex makes. Progress may be nil.
func (s *Store) MakeVectors(ctx context.Context, root memdir.Root, progress func(done, total int)) (done int, err error) {
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
		done, err = meaning.Work{Settings: *settings, Root: root, DB: ix.DB, Privacy: cfg.Privacy, Progress: progress}.Do(ctx)
		return err
	})
	return done, err
}

// makeSaved is MakeVectors after a save. No one waits for it, so an error is not reported.
func (s *Store) makeSaved(ctx context.Context, root memdir.Root) {
	ctx, cancel := context.WithTimeout(ctx, savedTime)
	defer cancel()
	_, _ = s.MakeVectors(ctx, root, nil)
}
