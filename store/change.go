package store

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/writer"
)

// Writer returns the writer of the root of Scope, which may be planned. Whatever it changes
// is listed in the catalogue.
func (s *Store) Writer() (*writer.Writer, error) {
	if s.writer != nil {
		return s.writer, nil
	}
	root, planned, err := s.RootOrPlanned()
	cfg := schemas.DefaultConfig()
	if err == nil && !planned {
		if cfg, err = s.Config(root); err == nil {
			err = cfg.CheckVersion()
		}
	}
	if err != nil {
		return nil, err
	}
	s.planned, s.writer = planned, s.WriterWith(root, cfg)
	return s.writer, nil
}

// WriterWith returns a writer of a root with other settings than the root's.
func (s *Store) WriterWith(root memdir.Root, cfg schemas.Config) *writer.Writer {
	return &writer.Writer{
		Root: root, Other: s.Other(), Config: cfg,
		Now: time.Now, Notify: s.Notify, Lasting: s.Lasting, Step: s.Step,
		Changed: func(ctx context.Context) { _ = Catalogue{}.enlist(ctx, root, cfg) }, // or the next session lists it
	}
}

// ExistingWriter is Writer for changes of what is there. It makes no root.
func (s *Store) ExistingWriter() (*writer.Writer, error) {
	if _, err := s.Root(); err != nil {
		return nil, err
	}
	return s.Writer()
}

// Complete makes the rest of a root that was only planned. It reports whether it was.
func (s *Store) Complete() (made bool, err error) {
	if !s.planned {
		return false, nil
	}
	s.planned = false
	_, err = memdir.Init(s.writer.Root.Path)
	return err == nil, err
}
