package indexer

import (
	"errors"
	"io/fs"
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
	paths   []uint64        // db.PathDigest of each
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
	listed, paths := s.entries, make([]uint64, len(s.entries))
	s.inodes = true
	for i, e := range listed {
		paths[i] = db.PathDigest(s.folder.Name, e.Name)
		keys[i] = uint64(db.EntryDigest(paths[i], e.Inode))<<place | uint64(i)
		s.inodes = s.inodes && e.Inode != 0
	}
	slices.Sort(keys)
	s.entries, s.paths, s.digests = make([]memdir.Entry, len(keys)), make([]uint64, len(keys)), make([]uint32, len(keys))
	for i, key := range keys {
		at := uint32(key)
		s.entries[i], s.paths[i], s.digests[i] = listed[at], paths[at], uint32(key>>place)
	}
}

// unlooked is the same with room for what looking at each file will tell.
func (s *scan) unlooked() *scan {
	whole := *s
	whole.stats = make([]memdir.Stat, len(s.entries))
	whole.prints = make(db.Fingerprints, len(s.entries))
	return &whole
}

// lookAt looks at some of the entries.
func (s *scan) lookAt(from, to int) error {
	for i := from; i < to; i++ {
		stat, err := s.folder.StatListed(s.entries[i].Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has just vanished
		}
		if err != nil {
			return err
		}
		s.stats[i] = stat
		s.prints[i] = db.NewFingerprint(s.paths[i], stat.Inode, stat.Size, stat.MtimeNS)
	}
	return nil
}

// dropVanished drops the entries that were no longer there to look at.
func (s *scan) dropVanished() {
	kept := 0
	for i, stat := range s.stats {
		if stat.Name != "" {
			s.stats[kept], s.prints[kept] = stat, s.prints[i]
			kept++
		}
	}
	s.stats, s.prints = s.stats[:kept], s.prints[:kept]
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
