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
	stats  []memdir.Stat  // sorted by path
	// obstacle stands for the folder itself where it cannot be read.
	obstacle *db.Entry
}

func scanFolder(root memdir.Root, name string) *scan {
	s := &scan{state: &db.Folder{Folder: name, ListedNS: time.Now().UnixNano()}}
	if err := s.look(root, name); err != nil {
		s.close()
		s.folder, s.stats = nil, nil
		s.state.ListedNS = 0 // never trusted
		s.obstacle = &db.Entry{File: db.File{Path: name, Folder: name, Problem: problemText(err)}}
	}
	return s
}

// look reads the folder's mtime before its entries: what comes later changes it.
func (s *scan) look(root memdir.Root, name string) (err error) {
	if s.folder, err = root.OpenFolder(name); err != nil || s.folder == nil {
		return err
	}
	s.state.MtimeNS = s.folder.MtimeNS
	names, err := s.folder.List()
	if err != nil {
		return err
	}
	s.stats, err = s.folder.StatAll(names)
	return err
}

func (s *scan) close() {
	if s.folder != nil {
		s.folder.Close()
	}
}

func (s *scan) names() []string {
	names := make([]string, len(s.stats))
	for i, stat := range s.stats {
		names[i] = baseName(stat.Path)
	}
	return names
}
