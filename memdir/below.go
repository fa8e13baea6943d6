package memdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"memctl/schemas"
)

// ErrOutside means that a path leads out of the memory root.
var ErrOutside = errors.New("lies outside the memory root")

// Below makes a path that a user gave relative to the root, with slashes. A path that
// starts with Shown is below this root whatever the working folder is, one that starts
// with .claude/memory is unless this is the user's root, and so is any other relative path
// that does not start with a dot. A name without a slash is an id and stays as it is.
// Below follows no links below the root.
func (r Root) Below(name string) (string, error) {
	slashed := filepath.ToSlash(name)
	if !strings.Contains(slashed, "/") {
		return name, nil
	}
	if rest, ok := strings.CutPrefix(slashed, r.Shown+"/"); ok {
		return r.inside(path.Clean(rest), name)
	}
	if rest, ok := strings.CutPrefix(slashed, RootPath+"/"); ok && r.Scope == ProjectScope {
		return r.inside(path.Clean(rest), name)
	}
	if !filepath.IsAbs(name) && !strings.HasPrefix(slashed, ".") && !strings.HasPrefix(slashed, "~") &&
		!strings.Contains(slashed, RootPath+"/") {
		return r.inside(path.Clean(slashed), name)
	}
	abs := filepath.Clean(absolute(name, "."))
	// The way to the root may lead through links; from there on it is two steps.
	folder, file := filepath.Split(abs)
	if top := filepath.Dir(filepath.Clean(folder)); sameFolder(top, r.Path) {
		return filepath.Base(folder) + "/" + file, nil
	}
	rel, err := filepath.Rel(r.Path, abs)
	if err != nil {
		return "", fmt.Errorf("%s %w %s", name, ErrOutside, r.Path)
	}
	return r.inside(filepath.ToSlash(rel), name)
}

func (r Root) inside(below, name string) (string, error) {
	if below == ".." || strings.HasPrefix(below, "../") || strings.HasPrefix(below, "/") {
		return "", fmt.Errorf("%s %w %s", name, ErrOutside, r.Path)
	}
	return below, nil
}

func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// Named returns the paths of the memories with an id, at most one in each category
// folder.
func (r Root) Named(id string) ([]string, error) {
	var paths []string
	for _, info := range schemas.Categories {
		path := info.Folder + "/" + id + ".json"
		_, err := os.Lstat(r.Join(path))
		if err == nil {
			paths = append(paths, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return paths, nil
}
