package install

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
)

// leftover is a file or folder that memctl made: no memory, no configuration, and not tracked by git.
type leftover struct {
	Path  string `json:"path"`
	What  string `json:"what"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// leftovers collects them over several folders.
type leftovers struct {
	list []leftover
	kept []string // paths that git tracks; they stay
}

// find adds memctl's own files and folders in a folder: those of which a function says what they are. A link is never
// one of them.
func (l *leftovers) find(ctx context.Context, folder string, kindOf func(name string, isFolder bool) string) error {
	dir, err := gate.Enter(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	tracked, err := trackedIn(ctx, folder)
	if err != nil {
		return err
	}
	entries, err := fs.ReadDir(dir.FS(), ".")
	for _, e := range entries {
		path, what := filepath.Join(folder, e.Name()), kindOf(e.Name(), e.IsDir())
		switch {
		case what == "" || !e.IsDir() && !e.Type().IsRegular():
		case tracked[e.Name()]:
			l.kept = append(l.kept, path)
		default:
			found := leftover{Path: path, What: what}
			_ = fs.WalkDir(dir.FS(), e.Name(), func(_ string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				found.Files++
				if info, err := e.Info(); err == nil {
					found.Bytes += info.Size()
				}
				return nil
			})
			l.list = append(l.list, found)
		}
	}
	return err
}

// trackedIn returns the names in a folder that git has, or has something in.
func trackedIn(ctx context.Context, folder string) (names map[string]bool, err error) {
	if !git.InRepository(folder) {
		return nil, nil
	}
	out, err := git.Run(ctx, folder, "ls-files", "-z")
	names = map[string]bool{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		name, _, _ := strings.Cut(path, "/")
		names[name] = true
	}
	return names, err
}

// inRoot adds the index of a root, its locks and the observations.
func (l *leftovers) inRoot(ctx context.Context, root files.Root) error {
	return l.find(ctx, root.Path, func(name string, isFolder bool) string {
		switch {
		case name == files.SessionsFolder:
			return "observations"
		case !isFolder && isIndex(name):
			return "index and locks"
		}
		return ""
	})
}

// isIndex reports whether a file belongs to the index of a root, or locks it.
func isIndex(name string) bool {
	end, is := strings.CutPrefix(name, files.IndexName)
	return is && (slices.Contains([]string{"", "-wal", "-shm", "-journal"}, end) ||
		strings.HasSuffix(end, ".lock") || strings.HasPrefix(name, files.BuildName))
}

// ofProject adds the files about a project: in its root, if it has one, beside the settings of its clients, in the
// state folder and in the staging folder. Names in these two contain a hash of a path.
func (l *leftovers) ofProject(ctx context.Context, project string, root files.Root) error {
	keys := []string{files.Root{Path: clients.ProjectNotes(project)}.Key()}
	if root.Path != "" {
		keys = append(keys, root.Key())
		if err := l.inRoot(ctx, root); err != nil {
			return err
		}
	}
	copied := func(name string, isFolder bool) string {
		return command.Choose(!isFolder && strings.HasSuffix(name, clients.OlderCopy), "settings as they were", "")
	}
	var folders []string
	for _, t := range projectTargets(project) {
		for _, path := range []string{t.Settings, t.Servers, asksFile(t)} {
			folder := filepath.Dir(path)
			keys = append(keys, files.Root{Path: path}.Key(), files.Root{Path: folder}.Key())
			if !slices.Contains(folders, folder) && gate.Contains(project, path) {
				folders = append(folders, folder)
				if err := l.find(ctx, folder, copied); err != nil {
					return err
				}
			}
		}
	}
	isAbout := func(name string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(name, key) })
	}
	state, err := files.StatePath()
	if err != nil {
		return err
	}
	return cmp.Or(
		l.find(ctx, filepath.Join(project, filepath.Dir(files.RootPath)), func(name string, isFolder bool) string {
			return command.Choose(!isFolder && name == files.StopFlagName, "mark of a stop", "")
		}),
		l.find(ctx, state, func(name string, _ bool) string {
			return command.Choose(isAbout(name), stateKind(name), "")
		}),
		l.find(ctx, files.StagingPath(), func(name string, _ bool) string {
			return command.Choose(isAbout(name), stagingKind, "")
		}))
}

const stagingKind = "drafts and logs"

// stateKind says what a file of the state folder is: first of all whether something in it waits for a person.
func stateKind(name string) string {
	if strings.HasPrefix(name, "proposals-") || strings.HasPrefix(name, "worklist-") {
		return "proposals and work lists that wait for you"
	}
	return "records and copies of settings"
}

// stateNames begin the names of the files that memctl keeps in the state folder. Other files
// there are not memctl's.
var stateNames = []string{"acts-", "asks-", "branch-", "builds-started", "catalogue.db", "copy-", "findings-",
	"forgotten-sessions", "given-", "hub-", "imports-", "injections.jsonl", "known-", "meaning-", "new-", "news",
	"notes-", "opened-", "proposals-", "remedies-", "reviewed-", "reviews.jsonl", "roots.json", "seen-contents",
	"sessions.db", "started-", "titles-", "turn-", "verdicts-", "warned-", "worklist-"}

// isState reports whether a name in the state folder is one that memctl gives. Of folders that is the notes' alone.
func isState(name string, isFolder bool) bool {
	return slices.ContainsFunc(stateNames, func(begin string) bool { return strings.HasPrefix(name, begin) }) &&
		(!isFolder || strings.HasPrefix(name, "notes-"))
}

// isStaging reports whether a name is that of a root's staging folder: the root's key.
func isStaging(name string, isFolder bool) bool {
	return isFolder && len(name) == len(files.Root{}.Key()) && strings.Trim(name, "0123456789abcdef") == ""
}

// ofUser adds the files that are for all projects.
func (l *leftovers) ofUser(ctx context.Context) error {
	if root, found, err := files.UserRoot(); err != nil {
		return err
	} else if found {
		if err := l.inRoot(ctx, root); err != nil {
			return err
		}
	}
	state, err := files.StatePath()
	if err != nil {
		return err
	}
	return cmp.Or(
		l.find(ctx, state, func(name string, isFolder bool) string {
			return command.Choose(isState(name, isFolder), stateKind(name), "")
		}),
		l.find(ctx, files.StagingPath(), func(name string, isFolder bool) string {
			return command.Choose(isStaging(name, isFolder), stagingKind, "")
		}))
}

// remove removes all that was found. While the index of a root goes, nobody writes there.
func (l *leftovers) remove(ctx context.Context, roots ...files.Root) error {
	locks, err := files.LockWriters(ctx, removeTimeout, roots...)
	if err != nil {
		return err
	}
	isLock := func(f leftover) bool { return filepath.Base(f.Path) == files.WriteLock }
	for _, f := range l.list {
		if err == nil && !isLock(f) {
			err = f.remove()
		}
	}
	locks.Unlock()
	for _, root := range roots {
		l.list = append(l.list, leftover{Path: root.Join(files.WriteLock)}) // which LockWriters may have made
	}
	for _, f := range l.list {
		if err == nil && isLock(f) {
			err = f.remove()
		}
	}
	return err
}

// removeTimeout is how long a removal waits for a writer.
const removeTimeout = 5 * time.Second

// remove removes the file, or the folder with all that is in it.
func (f leftover) remove() error {
	dir, err := gate.Enter(filepath.Dir(f.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.RemoveAll(filepath.Base(f.Path))
}

// removeIfEmpty removes memctl's folders in the user's state and temporary folder if nothing is in them any more.
func removeIfEmpty() {
	state, _ := files.StatePath()
	for _, folder := range []string{state, files.StagingPath()} {
		if dir, err := gate.Enter(filepath.Dir(folder)); err == nil {
			if info, err := dir.Lstat(filepath.Base(folder)); err == nil && info.IsDir() {
				_ = dir.Remove(filepath.Base(folder)) // not if something is in it
			}
			dir.Close()
		}
	}
}

// projectTargets are the files of all clients in a project, for a team and for its user alone.
func projectTargets(project string) (list []clients.Target) {
	for _, client := range clients.All() {
		for _, t := range client.Targets(project) {
			if t.Scope != clients.UserScope && t.Settings != "" {
				list = append(list, t)
			}
		}
	}
	return list
}

// grouped sums leftovers up by folder, in their order, without empty ones such as locks.
func grouped(list []leftover) (groups []leftover) {
	for _, f := range list {
		folder := filepath.Dir(f.Path)
		at := slices.IndexFunc(groups, func(g leftover) bool { return g.What == f.What && g.Path == folder })
		if at < 0 {
			at = len(groups)
			groups = append(groups, leftover{Path: folder, What: f.What})
		}
		groups[at].Files += f.Files
		groups[at].Bytes += f.Bytes
	}
	return slices.DeleteFunc(groups, func(g leftover) bool { return g.Bytes == 0 })
}
