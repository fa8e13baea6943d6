package indexer

import (
	"time"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// scan is one category folder as it is on disk.
type scan struct {
	folder *memdir.Folder // nil if the folder does not exist or cannot be opened
	stats  []memdir.Stat  // of its files, sorted by name
	state  db.Folder      // to record once its files are indexed
}

// scanFolder lists a folder's files. The folder's mtime is older than the list: a
// later change gives the folder another one.
func scanFolder(root memdir.Root, name string) *scan {
	s := &scan{state: db.Folder{Folder: name, ListedNS: time.Now().UnixNano()}}
	var err error
	if s.folder, err = root.OpenFolder(name); err == nil && s.folder != nil {
		s.state.MtimeNS = s.folder.MtimeNS
		s.stats, err = s.folder.Stats()
	}
	if err != nil {
		s.stats = nil
		s.state.ListedNS = 0 // scan it again next time
		s.state.Problem = problemText(err)
	}
	return s
}

func (s *scan) close() {
	if s.folder != nil {
		s.folder.Close()
	}
}

func categoryFolders() []string {
	var names []string
	for _, info := range schemas.Categories {
		names = append(names, info.Folder)
	}
	return names
}
