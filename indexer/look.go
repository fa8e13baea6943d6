package indexer

import (
	"os"
	"slices"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// look is a scan under way: the folder is listed, then every file looked at.
type look struct {
	folder        string
	list, all     *scan
	listed, ended chan struct{}
	// known and glanced are what compareEntries knew: what was indexed, and the
	// files that it took in.
	known   db.Fingerprints
	glanced []memdir.Stat
}

// lookEarly starts scanning the folders that changed after the index did, before
// the index is even open: they are those that Sync will want.
func lookEarly(root memdir.Root) []*look {
	indexed := max(mtimeOf(root.Join(memdir.IndexName)), mtimeOf(root.Join(memdir.IndexName)+"-wal"))
	var looks []*look
	for _, info := range schemas.Categories {
		if mtime, err := root.FolderMtime(info.Folder); err == nil && mtime >= indexed && indexed > 0 {
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
	l := &look{folder: folder, listed: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		l.list = listFolder(root, folder)
		close(l.listed)
		l.all = l.list.lookedAt()
		close(l.ended)
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

// listing waits until the folder is listed.
func (l *look) listing() *scan {
	<-l.listed
	return l.list
}

// whole waits until every file was looked at.
func (l *look) whole() *scan {
	<-l.ended
	return l.all
}

func closeAll(looks []*look) {
	for _, l := range looks {
		l.whole().close()
	}
}
