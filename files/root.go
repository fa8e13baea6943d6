// Package memdir owns the files of a memory root: it finds the root, lists, reads and
// writes files without leaving it, locks, and keeps the staging folder. It does not
// know what a memory says.
package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"memctl/files/gate"
	"memctl/schemas"
)

// RootPath is where a project keeps its memory root.
const RootPath = ".claude/memory"

// Names of the files at the top of a memory root.
const (
	ConfigName = "memory-config.json"
	IndexName  = "index.db"
	// SynonymsName is the file of the project's synonyms. It is optional.
	SynonymsName = "synonyms.txt"
)

// ErrNoRoot means that there is no memory root. Most projects have none.
var ErrNoRoot = errors.New("no memory root")

// Root is a memory root.
type Root struct {
	// Path is absolute, with symbolic links resolved.
	Path string
	// Shown begins the paths that memctl shows to an agent, with slashes:
	// ".claude/memory", or the absolute path of a root that lies elsewhere. That of the
	// user's own root begins with ~ if it lies in the home folder.
	Shown string
	// Project is the folder that related files are relative to: the one that holds
	// .claude/memory, or the root itself if it lies elsewhere.
	Project string
	// Scope says whose memories the root holds.
	Scope Scope
}

// Scope says whose memories a root holds.
type Scope string

// The scopes of roots.
const (
	ProjectScope Scope = ""      // a project's
	UserScope    Scope = "user"  // the user's own, for all projects
	OtherScope   Scope = "other" // those of another root that the user has asked as well
	NotesScope   Scope = "note"  // what memctl made of the notes that Claude Code's agent keeps (NotesRoot)
)

// Places are where Find looks for the root. The first that is not empty counts.
type Places struct {
	Flag       string // --root: a project or a memory root
	Env        string // MEMCTL_ROOT, likewise
	ProjectDir string // CLAUDE_PROJECT_DIR; Find walks up from there
	Cwd        string // the event's cwd, likewise; "" is the working folder
}

// PlacesFromEnv reads the environment's part of Places.
func PlacesFromEnv(flag, cwd string) Places {
	return Places{flag, os.Getenv("MEMCTL_ROOT"), os.Getenv("CLAUDE_PROJECT_DIR"), cwd}
}

// Named reports whether --root or MEMCTL_ROOT names the root.
func (p Places) Named() bool { return p.Flag != "" || p.Env != "" }

// NamesOther reports whether --root names a folder outside of the project in which memctl runs,
// which is neither the user's root nor the one that MEMCTL_ROOT names.
func (p Places) NamesOther() bool {
	if p.Flag == "" {
		return false
	}
	user, _ := userPath()
	projects, bare := p.projects()
	return !within(append(projects, p.Env, user), p.Flag) && !slices.Contains(bare, resolve(absolute(p.Flag, ".")))
}

// Outside reports whether a path leads out of the project in which memctl runs, and not to the temporary
// folder, unless another project is there.
func (p Places) Outside(path string) bool {
	projects, bare := p.projects()
	resolved := resolve(absolute(path, "."))
	if within(projects, path) || slices.Contains(bare, filepath.Dir(resolved)) && !isFolder(resolved) {
		return false
	}
	if own, err := Find(p); err == nil && within([]string{own.Staging()}, path) {
		return false
	}
	_, err := above(filepath.Dir(resolved))
	return !errors.Is(err, ErrNoRoot) || within([]string{StagingPath()}, path) || !within([]string{os.TempDir()},
		path)
}

// projects are the folders of the projects in which memctl runs. The home folder is no project. Bare are those
// without a root in or above them, and of no repository: only they and their files count, because what lies below may
// be other projects.
func (p Places) projects() (folders, bare []string) {
	for _, start := range []string{p.ProjectDir, cmp.Or(p.Cwd, ".")} {
		own, err := above(cmp.Or(start, "."))
		if err == nil {
			start = own.Project
		}
		switch start = absolute(start, "."); {
		case IsHome(start):
		case err == nil || inRepository(start):
			folders = append(folders, start)
		default:
			bare = append(bare, resolve(start))
		}
	}
	return folders, bare
}

// inRepository reports whether a folder is in a repository. That of the home folder does not count.
func inRepository(folder string) bool {
	for ; folder != filepath.Dir(folder) && !IsHome(folder); folder = filepath.Dir(folder) {
		if exists(filepath.Join(folder, ".git")) {
			return true
		}
	}
	return false
}

// within reports whether a path lies in one of some folders, whatever links it has.
func within(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return folder != "" && gate.Contains(resolve(absolute(folder, ".")), resolve(absolute(path, ".")))
	})
}

// Find returns the memory root: the one named by --root or MEMCTL_ROOT, else the
// nearest above the client's project folder or the working folder.
func Find(p Places) (Root, error) {
	for _, given := range []struct{ name, path string }{{"--root", p.Flag}, {"MEMCTL_ROOT", p.Env}} {
		if given.path != "" {
			root, err := At(given.path)
			if err != nil {
				return Root{}, fmt.Errorf("%s: %w", given.name, err)
			}
			return root, nil
		}
	}
	return above(cmp.Or(p.ProjectDir, p.Cwd, "."))
}

// At returns the memory root at a path: that of a project, or the root itself.
func At(path string) (Root, error) {
	inProject := filepath.Join(path, filepath.FromSlash(RootPath))
	switch found, err := isRoot(inProject); {
	case err != nil:
		return Root{}, err
	case found:
		return open(inProject)
	}
	if looksLikeRoot(path) {
		return open(path)
	}
	if !isFolder(path) {
		return Root{}, fmt.Errorf("%w: %s is no folder", ErrNoRoot, path)
	}
	return Root{}, fmt.Errorf("%w at %s", ErrNoRoot, path)
}

// Target returns where the memory root of a project is, or would be.
func Target(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if !isRootPath(path) && !looksLikeRoot(path) {
		path = filepath.Join(path, filepath.FromSlash(RootPath))
	}
	return path, staysInProject(path, resolve(path))
}

func isRootPath(path string) bool {
	return strings.HasSuffix(filepath.ToSlash(filepath.Clean(path)), "/"+RootPath)
}

// looksLikeRoot ignores the category folders: a project may well have decisions/.
func looksLikeRoot(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil || !isFolder(abs) {
		return false
	}
	_, err = gate.Stat(filepath.Join(abs, ConfigName))
	return err == nil || isRootPath(abs)
}

// above walks up from start to the first folder that holds a memory root. The home
// folder's is the user's: it counts only if start is the home folder itself.
func above(start string) (Root, error) {
	start, err := filepath.Abs(start)
	if err != nil {
		return Root{}, err
	}
	for dir := start; ; {
		path := filepath.Join(dir, filepath.FromSlash(RootPath))
		found, err := isRoot(path)
		switch {
		case err != nil:
			return Root{}, err
		case found && (dir == start || !IsHome(dir)):
			return open(path)
		}
		if dir == start && !isFolder(start) {
			return Root{}, fmt.Errorf("%w: %s is no folder", ErrNoRoot, start)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Root{}, fmt.Errorf("%w in %s or above it", ErrNoRoot, start)
		}
		dir = parent
	}
}

// isRoot reports whether something is in the place of a memory root. An error means that the disk does not say.
func isRoot(path string) (bool, error) {
	_, err := gate.Stat(path)
	if errors.Is(err, syscall.EIO) {
		return false, fmt.Errorf("the memory root %s: %w", path, gate.Reason(err))
	}
	return err == nil, nil
}

func isFolder(path string) bool {
	info, err := gate.Stat(path)
	return err == nil && info.IsDir()
}

// open opens the root at a path, which a link of a project does not lead out of it.
func open(path string) (Root, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Root{}, err
	}
	root, err := openAnywhere(path)
	if err != nil {
		return root, err
	}
	if err := staysInProject(path, root.Path); err != nil {
		return root, err
	}
	if err := root.checkOwn(); err != nil {
		return Root{}, err
	}
	return root, nil
}

// openAnywhere is open for a path that the user chose.
func openAnywhere(path string) (Root, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Root{}, err
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Root{}, err
	}
	info, err := gate.Stat(resolved)
	if err != nil {
		return Root{}, err
	}
	if !info.IsDir() {
		return Root{}, fmt.Errorf("the memory root %s: %w, found %s", path, ErrNotFolder, gate.Kind(info.Mode()))
	}
	return rootAt(path, resolved), nil
}

// rootAt is the root at path, which resolves to resolved.
func rootAt(path, resolved string) Root {
	if isRootPath(path) {
		return Root{Path: resolved, Shown: RootPath, Project: filepath.Dir(filepath.Dir(path))}
	}
	return Root{Path: resolved, Shown: filepath.ToSlash(resolved), Project: resolved}
}

// Planned returns the root that the first memory will make if Find finds none. Its
// folder does not exist yet.
func Planned(p Places) (Root, error) {
	project, err := filepath.Abs(cmp.Or(p.Flag, p.Env, p.ProjectDir, p.Cwd, "."))
	if err != nil {
		return Root{}, err
	}
	if project, err = filepath.EvalSymlinks(project); err != nil {
		return Root{}, fmt.Errorf("%w: %w", ErrNoRoot, err)
	}
	path, err := Target(project)
	if err != nil {
		return Root{}, err
	}
	return rootAt(path, path), nil
}

// FindOrPlan returns the memory root, or the planned one if there is none. The error is a
// *ForeignError if another tool's folder is in its place.
func FindOrPlan(p Places) (root Root, planned bool, err error) {
	root, err = Find(p)
	if errors.Is(err, ErrNoRoot) && !errors.As(err, new(*ForeignError)) {
		planned = true
		root, err = Planned(p)
	}
	return root, planned, err
}

// Is reports whether both are the same root.
func (r Root) Is(other Root) bool { return r.Path == other.Path }

// ShownPath returns the path that memctl shows of a file, which is given below the root. For a
// memory that was made of a note it is the note's.
func (r Root) ShownPath(path string) string {
	if r.Scope == NotesScope {
		path = strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".json") + NoteExt
	}
	return r.Shown + "/" + path
}

// ReadOnly reports whether memctl changes no memory of the root.
func (r Root) ReadOnly() bool { return r.Scope == OtherScope || r.Scope == NotesScope }

// Join returns the operating system's path of a slash path below the root.
func (r Root) Join(path string) string { return filepath.Join(r.Path, filepath.FromSlash(path)) }

// ReadConfig returns memory-config.json's bytes, nil if there is none.
func (r Root) ReadConfig() ([]byte, error) { return r.readOptional(ConfigName, schemas.MaxFileBytes) }

// ReadSynonyms returns synonyms.txt's bytes, nil if there is none.
func (r Root) ReadSynonyms() ([]byte, error) {
	return r.readOptional(SynonymsName, schemas.MaxFileBytes)
}

// within runs a change on the root's opened folder, which links do not leave.
func (r Root) within(change func(dir *gate.Dir) error) error {
	dir, err := gate.Enter(r.Path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return change(dir)
}

// readOptional reads a file at the top of the root, nil if it does not exist. It
// follows only links that stay in the root.
func (r Root) readOptional(name string, limit int64) (data []byte, err error) {
	err = r.within(func(dir *gate.Dir) (err error) {
		data, err = gate.ReadIn(dir, name, limit)
		return gate.Reason(err)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Config returns the root's configuration and warnings about settings that memctl
// cannot use. The defaults replace a file that is too large.
func (r Root) Config() (schemas.Config, []schemas.Warning, error) {
	data, err := r.ReadConfig()
	if errors.Is(err, ErrTooLarge) {
		return schemas.DefaultConfig(), []schemas.Warning{{Problem: err.Error(), Used: "the defaults"}}, nil
	}
	if _, statErr := gate.Stat(r.Path); statErr != nil {
		return schemas.DefaultConfig(), nil, err
	}
	cfg, warnings := schemas.DecodeConfig(data)
	return cfg, warnings, err
}

// ReadFile reads one memory file, given by its path below the root.
func (r Root) ReadFile(path string) ([]byte, error) {
	folderName, name, ok := strings.Cut(path, "/")
	if !ok || strings.Contains(name, "/") {
		return nil, fmt.Errorf("%s is not the path of a memory", path)
	}
	folder, err := r.OpenFolder(folderName)
	if err != nil {
		return nil, err
	}
	if folder == nil {
		return nil, fs.ErrNotExist
	}
	defer folder.Close()
	data, _, err := folder.Read(name)
	return data, err
}

// Written returns when the file of a memory was written, zero if that is unknown.
func (r Root) Written(path string) (written time.Time) {
	if info, err := gate.Lstat(r.Join(path)); err == nil {
		written = info.ModTime()
	}
	return written
}

// LastChange returns when a memory was last added, replaced or removed, zero for never.
func (r Root) LastChange() (last time.Time) {
	for _, category := range schemas.Categories {
		if changed := r.lastChangeIn(category.Folder); changed.After(last) {
			last = changed
		}
	}
	return last
}

// LastChangeOf is LastChange of the memories of a category.
func (r Root) LastChangeOf(category schemas.Category) time.Time {
	info, _ := category.Info()
	return r.lastChangeIn(info.Folder)
}

func (r Root) lastChangeIn(folder string) time.Time {
	info, err := gate.Stat(filepath.Join(r.Path, folder))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Version is a file of a root as it was at some time.
type Version struct {
	Root    string `json:"root"` // Root.Key
	Path    string `json:"path"` // below the root
	Size    int64  `json:"size"`
	MtimeNS int64  `json:"mtime_ns"`
}
