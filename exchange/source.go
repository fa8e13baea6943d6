package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/gate"
	"memctl/memdir"
	"memctl/schemas"
)

// Bounds of a walk through a folder.
const (
	maxEntries = 200_000
	maxDepth   = 32
)

// source is the folder that is imported, or the folder of the file that is. Nothing
// outside it is read and no link in it is followed.
type source struct {
	dir   *gate.Dir
	name  string // of the file, "" for a folder
	shown string // what origins begin with
	limit int    // of the files and folders that are seen
}

// openSource opens what the user names, which may be a link.
func openSource(name string, root memdir.Root) (*source, error) {
	place, err := memdir.PlaceOf(name)
	var resolved string
	if err == nil {
		resolved, err = place.Leads(name)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = gate.Stat(resolved)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %s", name, reasonOf(err))
	}
	s := &source{shown: shownPath(resolved, root), limit: maxEntries}
	switch {
	case info.Mode().IsRegular():
		s.shown = path.Dir(s.shown)
		s.dir, s.name, err = place.Parent(name)
	case info.IsDir():
		s.dir, err = place.Enter(name)
	default:
		return nil, fmt.Errorf("%s is neither a file nor a folder", name)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %s", name, reasonOf(err))
	}
	return s, nil
}

// shownPath is how a memory names a source: relative to the project, so that the next
// import from another folder recognises it, else by the user's home.
func shownPath(name string, root memdir.Root) string {
	if rel, err := filepath.Rel(realPath(root.Project), name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(userHome(), name); err == nil && filepath.IsLocal(rel) {
		return path.Join("~", filepath.ToSlash(rel))
	}
	return filepath.ToSlash(name)
}

// realPath returns a path without links, or as it is if it does not exist.
func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// userHome returns the user's home, "" if it is unknown.
func userHome() string {
	home, _ := os.UserHomeDir()
	return home
}

func (s *source) close() error { return s.dir.Close() }

// origin names a file of the source.
func (s *source) origin(name string) string { return path.Join(s.shown, name) }

// path returns the path of a file of the source.
func (s *source) path(name string) string {
	return filepath.Join(s.dir.Name(), filepath.FromSlash(name))
}

// inProject returns the file's path relative to the project, "" if it lies outside.
func (s *source) inProject(name string) string {
	if origin := s.origin(name); filepath.IsLocal(filepath.FromSlash(origin)) && !strings.HasPrefix(origin, "~") {
		return origin
	}
	return ""
}

// files returns the paths of the files that match, sorted: of the source's folder and
// those below, or the source itself if it is a file. It leaves out hidden folders and
// node_modules, unless enter says otherwise. Links that match go to skipped.
func (s *source) files(ctx context.Context, match, enter func(name string) bool) (found, skipped []string, err error) {
	if s.name != "" {
		return []string{s.name}, nil, nil
	}
	seen := -1 // the folder itself
	err = fs.WalkDir(s.dir.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if seen++; seen > s.limit {
			return tooMuch(fmt.Sprintf("more than %d files and folders; name one of the folders", s.limit))
		}
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %s", s.origin(name), reasonOf(err))
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
		case entry.IsDir():
			entered := enter != nil && enter(name) || !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "node_modules"
			if !entered || strings.Count(name, "/") >= maxDepth {
				return fs.SkipDir
			}
		case !match(name):
		case entry.Type()&fs.ModeSymlink != 0:
			skipped = append(skipped, name)
		default:
			found = append(found, name)
		}
		return nil
	})
	slices.Sort(found)
	slices.Sort(skipped)
	return found, skipped, err
}

// open opens a regular file of the source. It does not wait for a pipe.
func (s *source) open(name string) (*gate.File, fs.FileInfo, error) {
	file, _, err := gate.OpenIn(s.dir, filepath.FromSlash(name))
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
	}
	return file, info, err
}

// read reads a file that is no larger than a memory may be.
func (s *source) read(name string) ([]byte, time.Time, error) {
	file, info, err := s.open(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer file.Close()
	data, err := gate.ReadLimited(file, schemas.MaxFileBytes)
	return data, info.ModTime(), err
}

// lines reads a file line by line, with nil for a line that is too long.
func (s *source) lines(ctx context.Context, name string, use func(number int, line []byte) error) (time.Time, error) {
	file, info, err := s.open(name)
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	number := 0
	_, err = memdir.Lines(io.MultiReader(file, strings.NewReader("\n")), func(_ int64, line []byte) error {
		number++
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return use(number, line)
	})
	return info.ModTime(), err
}

// utf8Text returns a file's text, with line feeds only.
func utf8Text(data []byte) (string, error) {
	phrase := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(phrase) || strings.ContainsRune(phrase, 0) {
		return "", errors.New("expected text in UTF-8")
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(phrase), nil
}

// reasonOf drops the path from a file error: the message around it names it.
func reasonOf(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}
