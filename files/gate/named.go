package gate

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Named is a path that a file names, such as a line of a project's sources.jsonl. Whoever wrote the file chose it, so
// it is no string that a function could open: only a Place or a Dir takes it, and opens nothing outside of its folder,
// nor git's own files. It is written with slashes.
type Named struct{ path string }

// Name makes a path that was read from a file a Named.
func Name(path string) Named { return Named{path} }

// String returns the path, for messages and comparisons.
func (n Named) String() string { return n.path }

// MarshalText is encoding.TextMarshaler's.
func (n Named) MarshalText() ([]byte, error) { return []byte(n.path), nil }

// UnmarshalText is encoding.TextUnmarshaler's.
func (n *Named) UnmarshalText(text []byte) error {
	n.path = string(text)
	return nil
}

// IsLocal reports whether the path can lie in the folder that it is relative to.
func (n Named) IsLocal() bool {
	return filepath.IsLocal(filepath.FromSlash(n.path)) && !strings.HasPrefix(n.path, "~")
}

// below returns the path for the operating system, relative to a folder.
func (n Named) below() (string, error) {
	path := filepath.FromSlash(n.path)
	switch {
	case !n.IsLocal():
		return "", fmt.Errorf("%s %w", n.path, ErrOutside)
	case namesGit(path):
		return "", fmt.Errorf("%s: %w", n.path, ErrGit)
	}
	return path, nil
}

// LstatNamed describes a named path below the folder.
func (d *Dir) LstatNamed(n Named) (fs.FileInfo, error) {
	path, err := n.below()
	if err != nil {
		return nil, err
	}
	return d.Lstat(path)
}

// ReadNamed reads the regular file that a named path leads to, if it has at most limit bytes.
func (p Place) ReadNamed(n Named, limit int64) ([]byte, error) {
	path, err := n.below()
	if err != nil {
		return nil, err
	}
	p.Owner = Project
	return p.Read(filepath.Join(p.Folder, path), limit)
}

// LocateNamed is Locate for a named path.
func (p Place) LocateNamed(n Named) (dir *Dir, name string, err error) {
	path, err := n.below()
	if err != nil {
		return nil, "", err
	}
	p.Owner = Project
	return p.Locate(filepath.Join(p.Folder, path))
}

// Locate opens the folder at a path of the place, or the folder of the file there, of which it returns the name.
func (p Place) Locate(path string) (dir *Dir, name string, err error) {
	target, err := p.Leads(path)
	if err != nil {
		return nil, "", err
	}
	info, err := Stat(target)
	switch {
	case err != nil:
	case info.IsDir():
		dir, err = p.enter(target)
	case info.Mode().IsRegular():
		name = filepath.Base(target)
		dir, err = p.enter(filepath.Dir(target))
	default:
		err = fmt.Errorf("%w or a folder, found %s", ErrNotFile, Kind(info.Mode()))
	}
	return dir, name, err
}
