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

	"memctl/files"
	"memctl/files/gate"
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
	label string // what stands for shown in the list of sources, "" for a source in the project
	path  string // of what was named, "" if the list of sources named it
	limit int    // of the files and folders that are seen
	// former is what is read in the place of any file, nil for what is there.
	former []byte
}

// openSource opens what the user names, which may be a link.
func openSource(name string, root files.Root) (*source, error) {
	place, err := files.PlaceOf(name)
	if err != nil {
		return nil, err
	}
	resolved, err := place.Leads(name)
	if err != nil {
		return nil, err
	}
	dir, file, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir, name: file, shown: shownPath(resolved, root), path: resolved, limit: maxEntries}
	if file != "" {
		s.shown = path.Dir(s.shown)
	}
	if !files.IsInProject(gate.Name(s.shown)) {
		s.label = files.Label(s.shown)
	}
	return s, nil
}

// openNamed opens a source in the project that the list of sources names.
func openNamed(name gate.Named, root files.Root) (*source, error) {
	dir, file, err := gate.Place{Folder: root.Project}.LocateNamed(name)
	if err != nil {
		return nil, err
	}
	shown := path.Clean(name.String())
	if file != "" {
		shown = path.Dir(shown)
	}
	return &source{dir: dir, name: file, shown: shown, limit: maxEntries}, nil
}

// notOpened words the error of a source that is not opened.
func notOpened(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %s", name)
	case errors.Is(err, gate.ErrNotFile):
		return fmt.Errorf("%s is neither a file nor a folder", name)
	}
	return fmt.Errorf("read %s: %s", name, reasonOf(err))
}

// shownPath is the name of a source in a memory: relative to the project, so that the next
// import from another folder recognises it, else by the user's home.
func shownPath(name string, root files.Root) string {
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

// listed returns an origin as the list of sources has it.
func (s *source) listed(origin string) gate.Named {
	if rest, below := cutFolder(origin, s.shown); below && s.label != "" {
		origin = s.label + rest
	}
	return gate.Name(origin)
}

// unlisted returns an origin of the list of sources as this import names it. Any other place stays as it is.
func (s *source) unlisted(origin gate.Named) gate.Named {
	if rest, below := cutFolder(origin.String(), s.label); below && s.label != "" {
		return gate.Name(s.shown + rest)
	}
	return origin
}

// cutFolder cuts a folder from the beginning of a path, but not the slash after it.
func cutFolder(path, folder string) (rest string, below bool) {
	rest, found := strings.CutPrefix(path, folder)
	return rest, found && (rest == "" || rest[0] == '/' || rest[0] == '#')
}

// isGone reports whether the file of a line of the list of sources is gone. It is asked of the project, and of the
// source that is imported, which may be outside. Of any other place nothing is known.
func (s *source) isGone(project *gate.Dir, of files.ImportRecord) bool {
	dir, path := project, of.Path()
	if !of.InProject() {
		rest, below := cutFolder(path.String(), s.shown)
		name := strings.TrimPrefix(rest, "/")
		if !below || s.label == "" || s.name != "" && name != s.name {
			return false
		}
		dir, path = s.dir, gate.Name(name)
	}
	_, err := dir.LstatNamed(path)
	return errors.Is(err, fs.ErrNotExist)
}

// at returns the path of a file of the source.
func (s *source) at(name string) string {
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
func (s *source) files(ctx context.Context, match, enter func(name string) bool) (names, skipped []string, err error) {
	if s.name != "" {
		return []string{s.name}, nil, nil
	}
	entries := -1 // the folder itself
	err = fs.WalkDir(s.dir.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if entries++; entries > s.limit {
			return tooMuch(fmt.Sprintf("more than %d files and folders; name one of the folders", s.limit))
		}
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %s", s.origin(name), reasonOf(err))
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
		case entry.IsDir():
			entered := enter != nil && enter(name) || !strings.HasPrefix(entry.Name(), ".") &&
				entry.Name() != "node_modules"
			if !entered || strings.Count(name, "/") >= maxDepth {
				return fs.SkipDir
			}
		case !match(name):
		case entry.Type()&fs.ModeSymlink != 0:
			skipped = append(skipped, name)
		default:
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	slices.Sort(skipped)
	return names, skipped, err
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
	if s.former != nil {
		return s.former, time.Time{}, nil
	}
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
	_, err = files.Lines(io.MultiReader(file, strings.NewReader("\n")), func(_ int64, line []byte) error {
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
