package git

import (
	"context"
	"iter"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
)

// historyTimeout limits how long HistoryAt reads commits.
const historyTimeout = time.Minute

// HistoryAt returns what git's log says of the memories of a root up to a revision, nil where
// git.history is not set.
func HistoryAt(ctx context.Context, root files.Root, revision string) (schemas.History, error) {
	cfg, _, err := root.Config()
	if err != nil || !cfg.Git.History {
		return nil, nil // who reads the memories reports the error
	}
	commit := commitAt(ctx, root.Path, revision)
	if commit == "" {
		return schemas.History{}, nil
	}
	return Recorded(ctx, root, commit, "", nil, historyTimeout)
}

// Head returns the id of the commit that is checked out in a folder, "" if there is none.
func Head(ctx context.Context, dir string) string { return commitAt(ctx, dir, "HEAD") }

func commitAt(ctx context.Context, dir, revision string) string {
	// an error: no repository, or no commit
	out, _ := Run(ctx, dir, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	return strings.TrimSpace(string(out))
}

// Recorded returns what git's log says of the files of a root that are in a commit, by their paths,
// in one pass. A file that was given another name keeps what it had. Merges, and commits that only
// move a file, are no changes of it.
//
// With the result for an earlier commit, it reads only the commits since. It reads all of them if
// that commit is not among those that led to this one any more.
func Recorded(
	ctx context.Context, root files.Root, commit, since string, known schemas.History, limit time.Duration,
) (schemas.History, error) {
	prefix, err := Prefix(ctx, root.Path)
	if err != nil {
		return nil, err
	}
	commits := commit
	if since != "" {
		if _, err := Run(ctx, root.Path, "merge-base", "--is-ancestor", since, commit); err == nil {
			commits = since + ".." + commit
		} else {
			known = nil
		}
	}
	found, present := map[string]*schemas.Recorded{}, map[string]string{} // by the path then, and the path now
	if err := Files(ctx, root.Path, commit, schemas.Folders(), func(f File) error {
		found[f.Path], present[f.Path] = &schemas.Recorded{Blob: f.Blob}, f.Path
		return nil
	}); err != nil {
		return nil, err
	}
	err = Log(ctx, root.Path, limit, func(c Commit, files iter.Seq[FileChange]) error {
		for f := range files {
			path := strings.TrimPrefix(f.Path, prefix)
			now, follows := present[path]
			r := found[now]
			if !follows {
				continue
			}
			from := strings.TrimPrefix(f.From[0], prefix)
			switch {
			case f.Status == 'A', f.Status == 'D': // what had the name before is another file
				delete(present, path)
				continue
			case f.Status == 'R':
				delete(present, path)
				present[from] = now
			}
			if f.Status == 'R' && f.Similar == 100 {
				continue
			}
			if r.Times++; r.Commit == "" {
				r.Commit = c.ID
				r.Changed, _ = schemas.ParseTime(c.Date)
			}
		}
		return nil
	}, "-M", commits, "--", ".")
	recorded := make(schemas.History, len(found))
	for path, now := range present { // path is that of the file at the beginning of what was read
		if before, ok := known[path]; ok && since != "" {
			r := found[now]
			r.Times += before.Times
			if r.Commit == "" {
				r.Commit, r.Changed = before.Commit, before.Changed
			}
		}
	}
	for path, r := range found {
		recorded[path] = *r
	}
	return recorded, err
}
