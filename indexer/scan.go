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
	stats  []memdir.Stat  // of its files, sorted by name; of a large folder a part of them
	more   bool           // another part may follow
	state  db.Folder      // to record once its files are indexed
}

// scanFolder lists a folder's files, the first part of a large one. The folder's mtime
// is older than the list: a later change gives the folder another one.
func scanFolder(root memdir.Root, name string) *scan {
	s := &scan{state: db.Folder{Folder: name, ListedNS: time.Now().UnixNano()}}
	var err error
	if s.folder, err = root.OpenFolder(name); err == nil && s.folder != nil {
		s.state.MtimeNS = s.folder.MtimeNS
		err = s.next()
	}
	if err != nil {
		s.state.ListedNS = 0 // scan it again next time
		s.state.Problem = problemText(err)
	}
	return s
}

// next lists the next part of the folder.
func (s *scan) next() (err error) {
	s.stats, s.more, err = s.folder.NextStats()
	return err
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
