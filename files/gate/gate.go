// Package gate opens files safely. What it allows depends on who wrote the folder that a file
// is in. It treats a project as the work of strangers, because it may be a clone: the project's
// links must not lead out of it or to git's own files. Every file that it opens is a regular
// one, of bounded size.
package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Owner says who wrote what is in a folder.
type Owner int

const (
	// Project is for folders that strangers may have written.
	Project Owner = iota
	// User is for folders of the person who runs memctl. Their links lead anywhere.
	User
)

// Place is a folder and who wrote what is in it.
type Place struct {
	Folder string
	Owner  Owner
}

// The rules. An error of this package is one of them, or one of the file system's.
var (
	// ErrOutside means that a file lies outside the folders where it may be.
	ErrOutside = errors.New("lies outside the folders where it may be")
	// ErrLeadsOut means that a link of a project leads out of it.
	ErrLeadsOut = errors.New("a link leads out of the project")
	// ErrGit means that a link of a project leads to git's own files.
	ErrGit = errors.New("a link leads to git's own files")
	// ErrNotFolder and ErrNotFile mean that something else stands in the place of a folder
	// or a file.
	ErrNotFolder = errors.New("expected a folder")
	ErrNotFile   = errors.New("expected a regular file")
	// ErrTooLarge means that a file is over its limit.
	ErrTooLarge = errors.New("too large")
)

// Leads returns where a path leads that begins with the place's folder. What it names need
// not exist.
func (p Place) Leads(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	target := real(path)
	if p.Owner == User {
		return target, nil
	}
	top, err := filepath.Abs(p.Folder)
	if err != nil {
		return "", err
	}
	if !Contains(top, path) {
		return "", fmt.Errorf("%s %w", path, ErrOutside)
	}
	rel, err := filepath.Rel(real(top), target)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", fmt.Errorf("%s: %w", path, ErrLeadsOut)
	case target != path && namesGit(rel):
		return "", fmt.Errorf("%s: %w", path, ErrGit)
	}
	return target, nil
}

func real(path string) string {
	target, _ := Follow(path)
	return target
}

// namesGit reports whether a path leads through a folder of git's. Systems that fold the
// case of names take .GIT for the same folder.
func namesGit(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.EqualFold(name, ".git") {
			return true
		}
	}
	return false
}

// Open opens a regular file of the place for reading and returns its size.
func (p Place) Open(path string) (*File, int64, error) {
	target, err := p.Leads(path)
	if err != nil {
		return nil, 0, err
	}
	dir, err := p.enter(filepath.Dir(target))
	if err != nil {
		return nil, 0, err
	}
	defer dir.Close()
	return OpenIn(dir, filepath.Base(target))
}

// Read returns what a regular file of the place holds, if it has at most limit bytes.
func (p Place) Read(path string, limit int64) ([]byte, error) {
	file, _, err := p.Open(path)
	return read(file, err, limit)
}

// Enter opens a folder of the place.
func (p Place) Enter(path string) (*Dir, error) {
	target, err := p.Leads(path)
	if err != nil {
		return nil, err
	}
	return p.enter(target)
}

// Parent opens the folder in which a file of the place is to be written, and makes it if it
// does not exist. It returns the file's name there, which is no link.
func (p Place) Parent(path string) (dir *Dir, name string, err error) {
	target, err := p.Leads(path)
	if err != nil {
		return nil, "", err
	}
	dir, err = p.enter(filepath.Dir(target))
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.makeFolder(filepath.Dir(target)); err == nil {
			dir, err = p.enter(filepath.Dir(target))
		}
	}
	return dir, filepath.Base(target), err
}

// Enter opens a folder that the person or memctl chose. Links may lead to it, and none out of it.
func Enter(folder string) (*Dir, error) {
	info, err := Stat(folder)
	if err == nil && !info.IsDir() { // to open a pipe would wait for its other end
		err = fmt.Errorf("%s: %w, found %s", folder, ErrNotFolder, Kind(info.Mode()))
	}
	if err != nil {
		return nil, err
	}
	return openDir(folder)
}

// SameFile reports whether two paths lead to the same file or folder.
func SameFile(a, b string) bool {
	infoA, errA := Stat(a)
	infoB, errB := Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// enter opens a folder to which Leads leads. In a project it stays there whatever becomes a
// link meanwhile.
func (p Place) enter(folder string) (*Dir, error) {
	if p.Owner == User {
		return Enter(folder)
	}
	if info, err := Lstat(folder); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, ErrNotFolder)
	}
	top, rel, err := p.top(folder)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return top.Enter(rel)
}

func (p Place) makeFolder(folder string) error {
	if p.Owner == User {
		return MakeFolder(folder, 0o755)
	}
	top, rel, err := p.top(folder)
	if err != nil {
		return err
	}
	defer top.Close()
	return top.MkdirAll(rel, 0o755)
}

// top opens the place's folder, and names another one from there.
func (p Place) top(folder string) (top *Dir, rel string, err error) {
	top, err = Enter(p.Folder)
	if err != nil {
		return nil, "", err
	}
	abs, err := filepath.Abs(p.Folder)
	if err == nil {
		rel, err = filepath.Rel(real(abs), folder)
	}
	if err != nil {
		top.Close()
	}
	return top, rel, err
}

// Contains reports whether a path is a folder or lies in it, as both are spelled.
func Contains(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// maxLinks is the number of links that filepath.EvalSymlinks follows.
const maxLinks = 255

// Follow resolves an absolute path the way the kernel does, but keeps the part that
// does not exist yet, even behind a dangling link. It also returns the part that
// exists. It leaves circular links as they are: no program can open them.
func Follow(path string) (target, existing string) {
	volume := filepath.VolumeName(path)
	done := volume + string(filepath.Separator)
	rest := filepath.FromSlash(path[len(volume):])
	for links := 0; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, string(filepath.Separator))
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(done, name) // ".." too, for done has no links
		info, err := Lstat(next)
		if err != nil {
			return filepath.Join(next, rest), done
		}
		if target, ok := linkTarget(next, info); ok && links < maxLinks {
			links++
			target = filepath.FromSlash(target)
			next = done
			if filepath.IsAbs(target) {
				next = filepath.VolumeName(target) + string(filepath.Separator)
			}
			rest = target[len(filepath.VolumeName(target)):] + string(filepath.Separator) + rest
		}
		done = next
	}
	return done, done
}

// linkTarget returns the target of anything but a plain folder or file: on Windows a
// junction is neither of these nor a symbolic link.
func linkTarget(path string, info os.FileInfo) (string, bool) {
	if info.IsDir() || info.Mode().IsRegular() {
		return "", false
	}
	if step("readlink", path, "") != nil {
		return "", false
	}
	target, err := os.Readlink(path)
	return target, err == nil
}
