package indexer

import (
	"context"
	"errors"

	"memctl/db"
	"memctl/memdir"
)

// Depth says how closely Sync looks.
type Depth int

const (
	// Quick trusts a folder whose mtime is as recorded, unless the store is so
	// small that looking at every file costs nothing one could notice. An edit
	// in place that Quick misses is caught when its memory is about to be shown,
	// and at the next Full.
	Quick Depth = iota
	// Full looks at every file's size and mtime.
	Full
)

const (
	// quickLimit is the number of files up to which Quick looks at each of them.
	quickLimit = 300
	// syncLimit is the number of changed files above which a rebuild is cheaper.
	syncLimit = 5000
)

// errTooMany says that Sync would take longer than a rebuild.
var errTooMany = errors.New("too many changes")

// Sync brings the index up to date with the files and tells how many files it took
// in or dropped.
func Sync(ctx context.Context, d *db.DB, root memdir.Root, depth Depth) (int, error) {
	s := &survey{root: root}
	defer s.close()
	n, err := s.begin(ctx, d, depth)
	if err != nil {
		return n, err
	}
	more, err := s.finish(ctx, d)
	return n + more, err
}

// survey is a Sync in two steps, between which a prompt is ranked. To look at each
// file of a large folder takes as long as all the rest of a prompt's work, and
// nearly always finds what the listing gave away already: names that came, went, or
// have another inode now. So that is taken in first. Files written over in place,
// or with the inode of one that git has just removed, show when all were looked at.
type survey struct {
	root     memdir.Root
	recorded map[string]db.Folder
	looks    []*look
	glanced  []*look // those of which only the listing was compared
}

// begin compares each folder that may have changed, large ones by their listing.
func (s *survey) begin(ctx context.Context, d *db.DB, depth Depth) (int, error) {
	var early []string
	for _, l := range s.looks {
		early = append(early, l.folder)
	}
	recorded, few, err := d.Folders(ctx, quickLimit, early...)
	if err != nil {
		return 0, err
	}
	s.recorded = recorded
	for _, l := range s.looks {
		l.known = recorded[l.folder].Known
	}
	s.looks = lookAt(s.root, recorded, depth == Full || few, s.looks)
	switch {
	case depth == Full: // row by row: what the fingerprints say is checked too
		n, err := s.take(ctx, d, s.looks, compare)
		if n > 0 && err == nil {
			err = d.Update(ctx, (*db.Tx).TidyUp)
		}
		return n, err
	case few:
		return s.take(ctx, d, s.looks, compareStamps)
	}
	return s.take(ctx, d, s.looks, compareEntries)
}

// finish compares every file of the folders that begin only glanced at.
func (s *survey) finish(ctx context.Context, d *db.DB) (int, error) {
	return s.take(ctx, d, s.glanced, compareRest)
}

// take writes, in one transaction, what comparing finds.
func (s *survey) take(ctx context.Context, d *db.DB, looks []*look, how comparison) (int, error) {
	var updates []*update
	s.glanced = nil
	changed := 0
	for _, l := range looks {
		u, err := how(ctx, d, l)
		if err != nil {
			return 0, err
		}
		if u.state == nil {
			s.glanced = append(s.glanced, l)
		}
		if u.needed(s.recorded) {
			updates = append(updates, u)
		}
		changed += u.size()
	}
	if changed > syncLimit {
		return 0, errTooMany
	}
	return apply(ctx, d, updates)
}

func (s *survey) close() { closeAll(s.looks) }

// trusted tells whether no file of a folder can have come, gone or been
// replaced since its files were compared.
func trusted(root memdir.Root, known db.Folder) bool {
	mtime, err := root.FolderMtime(known.Folder)
	return err == nil && mtime == known.MtimeNS && memdir.Settled(mtime, known.ListedNS)
}
