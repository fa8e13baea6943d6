package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

const (
	// maxListed is how many roots the list has at most. Those seen longest ago go first.
	maxListed = 5000
	// maxList bounds the file, in bytes: a path has some hundred.
	maxList = 16 << 20
	// seenEvery is the age of a root's time at which it is written again.
	seenEvery = time.Hour
)

// list is roots.json.
type list struct {
	Roots []seen `json:"roots"` // the one seen last is the last
	// Never holds the paths of roots that are not to be listed.
	Never []string `json:"never"`
}

// seen is a root, and when memctl last served it.
type seen struct {
	Path string `json:"path"`
	Seen string `json:"seen"`
}

// readList reads the list, which is empty if there is no file.
func readList(folder files.Root) (list, error) {
	l := list{Roots: []seen{}, Never: []string{}}
	path := folder.Join(listName)
	data, err := gate.ReadRegular(path, maxList)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err == nil:
		err = json.Unmarshal(data, &l)
	}
	if err != nil {
		return l, text.WithHint(fmt.Errorf("the list of roots %s: %w", path, err),
			"fix the file in an editor, or remove it: each project is listed again when its next session starts")
	}
	l.Roots = slices.DeleteFunc(l.Roots, func(s seen) bool { return !filepath.IsAbs(s.Path) })
	return l, nil
}

// write replaces the file.
func (l list) write(folder files.Root) error {
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	f, err := files.FolderAt(folder.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.RemoveTemp(); err != nil {
		return err
	}
	data = append(data, '\n')
	if _, err := f.Stat(listName); errors.Is(err, fs.ErrNotExist) {
		return f.WriteNewMode(listName, data, 0o600)
	}
	return f.Replace(listName, data)
}

// see records when a root was seen and reports whether that needs to be written.
func (l *list) see(path string, now time.Time) bool {
	i := l.index(path)
	if i >= 0 {
		last, _ := schemas.ParseTime(l.Roots[i].Seen)
		if now.Sub(last).Abs() < seenEvery {
			return false
		}
		l.Roots = slices.Delete(l.Roots, i, i+1)
	}
	l.Roots = append(l.Roots, seen{path, schemas.FormatTime(now)})
	l.Roots = l.Roots[max(0, len(l.Roots)-maxListed):]
	return true
}

// drop removes a root from the list and reports whether it was there.
func (l *list) drop(path string) bool {
	before := len(l.Roots)
	l.Roots = slices.DeleteFunc(l.Roots, func(s seen) bool { return s.Path == path })
	return len(l.Roots) < before
}

// latestFirst returns the paths of the roots, the one seen last first.
func (l list) latestFirst() []string {
	var paths []string
	for _, s := range slices.Backward(l.Roots) {
		paths = append(paths, s.Path)
	}
	return paths
}

func (l list) has(path string) bool { return l.index(path) >= 0 }

// seenAt returns when a root was seen, "" if it is not listed.
func (l list) seenAt(path string) string {
	if i := l.index(path); i >= 0 {
		return l.Roots[i].Seen
	}
	return ""
}

func (l list) index(path string) int {
	return slices.IndexFunc(l.Roots, func(s seen) bool { return s.Path == path })
}

// projectOf is the folder of the project whose root has a path, or the root itself if it
// lies elsewhere.
func projectOf(path string) string {
	if strings.HasSuffix(filepath.ToSlash(path), "/"+files.RootPath) {
		return filepath.Dir(filepath.Dir(path))
	}
	return path
}

// Projects returns the roots of the list that can be opened and are not known, to read only, the one seen last first
// and no more than a number of them.
func (c Catalogue) Projects(known []files.Root, most int) (roots []files.Root, err error) {
	if err = c.find(); err != nil {
		return nil, err
	}
	if c.user, err = files.UserConfig(); err != nil {
		return nil, err
	}
	if c.list, err = readList(c.folder); err != nil {
		return nil, err
	}
	for _, path := range c.list.latestFirst() {
		root, err := files.At(path)
		if err != nil || root.Path != path || c.unwanted(path) || slices.ContainsFunc(known, root.Is) {
			continue
		}
		if cfg, _, err := root.Config(); err != nil || !cfg.Catalogue.Enabled {
			continue
		}
		root.Shown, root.Scope = filepath.ToSlash(root.Path), files.OtherScope
		if roots = append(roots, root); len(roots) == most {
			break
		}
	}
	return roots, nil
}

// Paths returns the paths of all roots of the list, also of those that are gone, the one seen last first.
func (c Catalogue) Paths() (paths []string, err error) {
	if c.folder.Path, err = files.StatePath(); err != nil { // which need not be there
		return nil, err
	}
	c.list, err = readList(c.folder)
	return c.list.latestFirst(), err
}

// noteTime is how long Note may take. It seldom takes more than a few milliseconds.
const noteTime = time.Second

// Note lists a root, or takes it out of the catalogue if it is not to be there. At most once
// an hour it brings the root up to date in the database too, for a short time: what it leaves
// is done by what reads the catalogue. It waits for no other process.
func (c Catalogue) Note(ctx context.Context, root files.Root) error {
	ctx, cancel := context.WithTimeout(ctx, noteTime)
	defer cancel()
	cfg, _, err := root.Config()
	if err != nil {
		return err
	}
	return c.note(ctx, root, cfg, func(c *Catalogue) error { return c.refresh(ctx, root) })
}

// enlist is Note without the database, for a root with known settings.
func (c Catalogue) enlist(ctx context.Context, root files.Root, cfg schemas.Config) error {
	return c.note(ctx, root, cfg, func(*Catalogue) error { return nil })
}

// note lists a root and runs fn, unless it was listed less than an hour ago.
func (c Catalogue) note(ctx context.Context, root files.Root, cfg schemas.Config, fn func(*Catalogue) error) error {
	if err := c.find(); err != nil {
		return err
	}
	l, err := readList(c.folder) // without the lock: it is always whole
	if err != nil {
		return err
	}
	if enabled := cfg.Catalogue.Enabled; enabled && !l.see(root.Path, time.Now()) || !enabled && !l.has(root.Path) {
		return nil // the list is right
	}
	return c.useListed(ctx, 0, root, fn)
}

// Scrubbed brings a root up to date. Afterwards no byte of the catalogue holds what was taken
// out of the root.
func (c Catalogue) Scrubbed(ctx context.Context, root files.Root) error {
	return c.useListed(ctx, patience, root, func(c *Catalogue) error {
		if err := c.refresh(ctx, root); err != nil {
			return err
		}
		return c.db.TidyUp(ctx)
	})
}

// useListed lists a root and runs fn on the open catalogue, unless settings keep the root out.
func (c Catalogue) useListed(
	ctx context.Context, wait time.Duration, root files.Root, fn func(*Catalogue) error,
) error {
	return c.use(ctx, wait, func(c *Catalogue) error {
		listed, err := c.enter(ctx, root)
		if err != nil || !listed {
			return err
		}
		return fn(c)
	})
}

// enter lists a root, or takes it out if it is not to be in the catalogue. It reports
// whether the root is listed.
func (c *Catalogue) enter(ctx context.Context, root files.Root) (listed bool, err error) {
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
func (c *Catalogue) leave(ctx context.Context, path string) error {
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
func (c *Catalogue) unwanted(path string) bool {
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
func (c *Catalogue) excluded(folder string) bool { return Covered(folder, c.user.Catalogue.Exclude) }

// Covered reports whether a folder, or one above it, matches one of some patterns.
func Covered(folder string, patterns []string) bool {
	for ; ; folder = filepath.Dir(folder) {
		for _, pattern := range patterns {
			if matches, _ := filepath.Match(filepath.Clean(WithHome(pattern)), folder); matches {
				return true
			}
		}
		if filepath.Dir(folder) == folder {
			return false
		}
	}
}
