package indexer

import (
	"os"
	"slices"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// look is a scan under way.
type look struct {
	folder string
	scan   *scan
	done   chan struct{}
}

// lookEarly starts scanning the folders that changed after the index did, before
// the index is even open: they are those that Sync will want.
func lookEarly(root memdir.Root) []*look {
	indexed := max(mtimeOf(root.Join(memdir.IndexName)), mtimeOf(root.Join(memdir.IndexName)+"-wal"))
	var looks []*look
	for _, info := range schemas.Categories {
		if mtime, err := root.FolderMtime(info.Folder); err == nil && mtime > indexed && indexed > 0 {
			looks = append(looks, startLook(root, info.Folder))
		}
	}
	return looks
}

func mtimeOf(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

func startLook(root memdir.Root, folder string) *look {
	l := &look{folder: folder, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.scan = statFolder(root, folder)
	}()
	return l
}

// lookAt scans the folders that need it, all at once and while the index is
// asked what it knows.
func lookAt(root memdir.Root, recorded map[string]db.Folder, everyFile bool, early []*look) []*look {
	looks := slices.Clone(early)
	for _, info := range schemas.Categories {
		if slices.ContainsFunc(early, func(l *look) bool { return l.folder == info.Folder }) {
			continue
		}
		known, ok := recorded[info.Folder]
		if !ok || everyFile || !trusted(root, known) {
			looks = append(looks, startLook(root, info.Folder))
		}
	}
	return looks
}

func (l *look) wait() *scan {
	<-l.done
	return l.scan
}

func closeAll(looks []*look) {
	for _, l := range looks {
		l.wait().close()
	}
}
