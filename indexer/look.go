package indexer

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// look is a scan under way: the folder is listed, then every file looked at, by
// whoever has time.
type look struct {
	folder string
	list   *scan
	listed chan struct{}
	all    *scan
	begun  atomic.Int64   // the entries that somebody has looked at, or is about to
	left   sync.WaitGroup // the parts not yet looked at
	failed atomic.Pointer[error]
	done   sync.Once
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
	l := &look{folder: folder, listed: make(chan struct{})}
	go func() {
		l.list = listFolder(root, folder)
		l.all = l.list.unlooked()
		l.left.Add((len(l.list.entries) + part - 1) / part)
		close(l.listed)
		l.work()
	}()
	return l
}

// part is how many files one of the workers looks at in one go.
const part = 32

// work looks at files until somebody has begun with the last.
func (l *look) work() {
	for {
		to := int(l.begun.Add(part))
		from := to - part
		if from >= len(l.all.entries) {
			return
		}
		if err := l.all.lookAt(from, min(to, len(l.all.entries))); err != nil {
			l.failed.Store(&err)
		}
		l.left.Done()
	}
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

// whole returns when every file was looked at, which it helps with.
func (l *look) whole() *scan {
	<-l.listed
	l.work()
	l.left.Wait()
	l.done.Do(func() {
		if err := l.failed.Load(); err != nil {
			l.all = l.list.blocked(*err)
		}
		l.all.dropVanished()
	})
	return l.all
}

func closeAll(looks []*look) {
	for _, l := range looks {
		l.whole().close()
	}
}
