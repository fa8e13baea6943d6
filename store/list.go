package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/gate"
	"memctl/memdir"
	"memctl/schemas"
)

const (
	// maxListed is how many roots the list has at most. Those seen longest ago go first.
	maxListed = 5000
	// maxList bounds the file, in bytes: a path has some hundred.
	maxList = 16 << 20
	// seenEvery is how old the time of a root is before it is written again.
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
func readList(folder memdir.Root) (list, error) {
	l := list{Roots: []seen{}, Never: []string{}}
	file, _, err := gate.OpenRegular(folder.Join(listName))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	defer file.Close()
	data, err := gate.ReadLimited(file, maxList)
	if err == nil {
		err = json.Unmarshal(data, &l)
	}
	if err != nil {
		return l, &brokenList{file.Name(), err}
	}
	l.Roots = slices.DeleteFunc(l.Roots, func(s seen) bool { return !filepath.IsAbs(s.Path) })
	return l, nil
}

// brokenList is the error for a list that cannot be read.
type brokenList struct {
	path  string
	cause error
}

func (b *brokenList) Error() string { return fmt.Sprintf("the list of roots %s: %v", b.path, b.cause) }

// Hint says what to do about it.
func (b *brokenList) Hint() string {
	return "fix the file in an editor, or remove it: each project is listed again when its next session starts"
}

// write replaces the file.
func (l list) write(folder memdir.Root) error {
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	f, err := memdir.FolderAt(folder.Path)
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
	if strings.HasSuffix(filepath.ToSlash(path), "/"+memdir.RootPath) {
		return filepath.Dir(filepath.Dir(path))
	}
	return path
}
