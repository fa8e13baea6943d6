package indexer

import (
	"slices"
	"time"

	"memctl/db"
	"memctl/memdir"
)

// scan is one category folder as it stands on disk.
type scan struct {
	folder  *memdir.Folder  // nil where there is none that can be read
	state   *db.Folder      // what to record once its files are indexed; nil for nothing
	entries []memdir.Entry  // by their digests
	digests []uint32        // db.EntryDigest of each, sorted
	inodes  bool            // the listing tells them
	stats   []memdir.Stat   // of the same, where they were asked for
	prints  db.Fingerprints // of each of stats
	// obstacle stands for the folder itself where it cannot be read.
	obstacle *db.Entry
}

// listFolder lists a folder's files. It reads the folder's mtime before its
// entries: what comes later changes it.
func listFolder(root memdir.Root, name string) *scan {
	s := &scan{state: &db.Folder{Folder: name, ListedNS: time.Now().UnixNano()}}
	var err error
	if s.folder, err = root.OpenFolder(name); err != nil {
		return s.blocked(err)
	}
	if s.folder == nil {
		return s
	}
	s.state.MtimeNS = s.folder.MtimeNS
	if s.entries, err = s.folder.List(); err != nil {
		return s.blocked(err)
	}
	s.sort()
	return s
}

// sort puts the entries in the order of the fingerprints, here where a prompt does
// not wait for it.
func (s *scan) sort() {
	const place = 32 // bits
	keys := make([]uint64, len(s.entries))
	s.inodes = true
	for i, e := range s.entries {
		keys[i] = uint64(db.EntryDigest(s.folder.Name, e.Name, e.Inode))<<place | uint64(i)
		s.inodes = s.inodes && e.Inode != 0
	}
	slices.Sort(keys)
	entries := make([]memdir.Entry, len(keys))
	s.digests = make([]uint32, len(keys))
	for i, key := range keys {
		entries[i], s.digests[i] = s.entries[uint32(key)], uint32(key>>place)
	}
	s.entries = entries
}

// lookedAt is the same with each file looked at.
func (s *scan) lookedAt() *scan {
	if s.folder == nil || s.obstacle != nil {
		return s
	}
	whole := *s
	var err error
	if whole.stats, err = s.folder.StatAll(s.entries); err != nil {
		return s.blocked(err)
	}
	whole.prints = make(db.Fingerprints, len(whole.stats))
	for i, stat := range whole.stats {
		whole.prints[i] = db.NewFingerprint(s.folder.Name, stat.Name, stat.Inode, stat.Size, stat.MtimeNS)
	}
	return &whole
}

// blocked is a scan of a folder that cannot be read; it is never trusted.
func (s *scan) blocked(err error) *scan {
	name := s.state.Folder
	return &scan{
		folder:   s.folder,
		state:    &db.Folder{Folder: name, MtimeNS: s.state.MtimeNS},
		obstacle: &db.Entry{File: db.File{Path: name, Problem: problemText(err)}},
	}
}

func (s *scan) close() {
	if s.folder != nil {
		s.folder.Close()
	}
}
