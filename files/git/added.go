package git

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"path"
	"strings"
	"time"

	"memctl/text"
)

// maxName bounds the name of an author, in code points, and maxAdded the files whose authors are kept.
const maxName, maxAdded = 100, 100_000

// FirstAuthors returns who first added the files below a folder that led to a commit, by their paths there: the newest
// of them, as far as git can tell in a limited time. A file that a commit moves to another folder under the same name
// is the same file. It compares no contents.
func FirstAuthors(ctx context.Context, dir, commit string, limit time.Duration) (map[string]Author, error) {
	prefix, err := Prefix(ctx, dir)
	if err != nil {
		return nil, err
	}
	authors, later := map[string]Author{}, map[string]string{} // later has the present path of a file by its path then
	err = Log(ctx, dir, limit, func(c Commit, files iter.Seq[FileChange]) error {
		name, email := strings.Clone(text.Truncate(c.Author, maxName)), strings.Clone(text.Truncate(c.Email, maxName))
		added, removed := map[string]string{}, []string{}
		for f := range files {
			at := strings.TrimPrefix(f.Path, prefix)
			if f.Status == 'D' {
				removed = append(removed, at)
				continue
			}
			if len(authors) >= maxAdded {
				return errEnough
			}
			now := cmp.Or(later[at], at)
			authors[now] = Author{name, email, c.Date}
			added[path.Base(at)] = now
		}
		for _, at := range removed {
			if now := added[path.Base(at)]; now != "" {
				later[at] = now
			}
		}
		return nil
	}, "--no-renames", "--diff-filter=AD", commit, "--", ".")
	if errors.Is(err, errEnough) {
		err = nil
	}
	return authors, err
}
