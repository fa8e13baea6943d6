package catalogue

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/memdir"
)

// noteTime is how long Note may take. It seldom takes more than a few milliseconds.
const noteTime = time.Second

// List lists a root, or takes it out of the catalogue if it is not to be there. It waits
// for no other process.
func List(ctx context.Context, root memdir.Root) error {
	return note(ctx, root, func(*catalogue) error { return nil })
}

// Note is List, which at most once an hour brings the root up to date in the database too.
// It does so for a short time: what it leaves is done by what reads the catalogue.
func Note(ctx context.Context, root memdir.Root) error {
	ctx, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	return note(ctx, root, func(c *catalogue) error { return c.refresh(ctx, root) })
}

// note lists a root and runs fn, unless it was listed less than an hour ago.
func note(ctx context.Context, root memdir.Root, fn func(*catalogue) error) error {
	cfg, _, err := root.Config()
	if err != nil {
		return err
	}
	state, err := memdir.State()
	if err != nil {
		return err
	}
	l, err := readList(memdir.Root{Path: state}) // without the lock: it is always whole
	if err != nil {
		return err
	}
	if enabled := cfg.Catalogue.Enabled; enabled && !l.see(root.Path, time.Now()) || !enabled && !l.has(root.Path) {
		return nil // the list is right
	}
	return use(ctx, 0, func(c *catalogue) error {
		listed, err := c.enter(ctx, root)
		if err != nil || !listed {
			return err
		}
		return fn(c)
	})
}

// NoteScrubbed brings a root up to date. Afterwards no byte of the catalogue holds what was
// taken out of the root.
func NoteScrubbed(ctx context.Context, root memdir.Root) error {
	return use(ctx, patience, func(c *catalogue) error {
		listed, err := c.enter(ctx, root)
		if err != nil || !listed {
			return err
		}
		if err := c.refresh(ctx, root); err != nil {
			return err
		}
		return c.db.TidyUp(ctx)
	})
}

// enter lists a root, or takes it out if it is not to be in the catalogue. It reports
// whether the root is listed.
func (c *catalogue) enter(ctx context.Context, root memdir.Root) (listed bool, err error) {
	cfg, _, err := root.Config()
	if err != nil {
		return false, err
	}
	if !cfg.Catalogue.Enabled || c.unwanted(root.Path) {
		return false, c.leave(ctx, root.Path)
	}
	if c.list.see(root.Path, time.Now()) {
		err = c.list.write(c.folder)
	}
	return true, err
}

// leave takes a root out of the list and the database.
func (c *catalogue) leave(ctx context.Context, path string) error {
	if !c.list.drop(path) {
		return nil
	}
	if err := c.list.write(c.folder); err != nil {
		return err
	}
	return c.prune(ctx)
}

// unwanted reports whether the user keeps the root at a path out of the catalogue. A path
// that is not UTF-8 cannot be listed.
func (c *catalogue) unwanted(path string) bool {
	return !utf8.ValidString(path) || slices.ContainsFunc(names(path), func(path string) bool {
		return slices.Contains(c.list.Never, path) || c.excluded(projectOf(path))
	})
}

// names are the paths that stand for a root: its own, and that of the same root in the
// main worktree.
func names(path string) []string {
	if main := repositoryOf(path).main(); main != "" && main != path {
		return []string{path, main}
	}
	return []string{path}
}

// excluded reports whether a folder, or one above it, matches a pattern of
// catalogue.exclude.
func (c *catalogue) excluded(folder string) bool {
	home, _ := os.UserHomeDir()
	for ; ; folder = filepath.Dir(folder) {
		for _, pattern := range c.user.Catalogue.Exclude {
			rest, found := strings.CutPrefix(filepath.ToSlash(pattern), "~")
			if found && (rest == "" || rest[0] == '/') {
				pattern = filepath.Join(home, filepath.FromSlash(rest))
			}
			if matches, _ := filepath.Match(filepath.Clean(pattern), folder); matches {
				return true
			}
		}
		if filepath.Dir(folder) == folder {
			return false
		}
	}
}
