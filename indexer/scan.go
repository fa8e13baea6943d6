package indexer

import (
	"time"

	"memctl/db"
	"memctl/memdir"
)

// scan is one category folder as it stands on disk.
type scan struct {
	folder *memdir.Folder // nil where there is none that can be read
	state  *db.Folder     // what to record once its files are indexed
	names  []string       // of the *.json entries, sorted
	stats  []memdir.Stat  // of the same, where they were asked for
	// obstacle stands for the folder itself where it cannot be read.
	obstacle *db.Entry
}

// listFolder lists a folder's files; statFolder looks at each of them too.
func listFolder(root memdir.Root, name string) *scan { return scanFolder(root, name, false) }
func statFolder(root memdir.Root, name string) *scan { return scanFolder(root, name, true) }

func scanFolder(root memdir.Root, name string, stat bool) *scan {
	s := &scan{state: &db.Folder{Folder: name, ListedNS: time.Now().UnixNano()}}
	if err := s.look(root, name, stat); err != nil {
		s.close()
		s.folder, s.names, s.stats = nil, nil, nil
		s.state.ListedNS = 0 // never trusted
		s.obstacle = &db.Entry{File: db.File{Path: name, Problem: problemText(err)}}
	}
	return s
}

// look reads the folder's mtime before its entries: what comes later changes it.
func (s *scan) look(root memdir.Root, name string, stat bool) (err error) {
	if s.folder, err = root.OpenFolder(name); err != nil || s.folder == nil {
		return err
	}
	s.state.MtimeNS = s.folder.MtimeNS
	if s.names, err = s.folder.List(); err != nil || !stat {
		return err
	}
	s.stats, err = s.folder.StatAll(s.names)
	return err
}

func (s *scan) close() {
	if s.folder != nil {
		s.folder.Close()
	}
}
