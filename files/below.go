package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memctl/files/gate"
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
	if r.Scope == NotesScope {
		slashed = fromHome(filepath.Clean(absolute(name, ".")))
		if strings.HasPrefix(name, "~") {
			slashed = filepath.ToSlash(name)
		}
	}
	rest, ok := strings.CutPrefix(slashed, r.Shown+"/")
	if note, isNote := strings.CutSuffix(rest, NoteExt); ok && isNote && r.Scope == NotesScope {
		return note, nil
	}
	if ok {
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
	if top := filepath.Dir(filepath.Clean(folder)); gate.SameFile(top, r.Path) {
		return filepath.Base(folder) + "/" + file, nil
	}
	rel, err := filepath.Rel(r.Path, abs)
	if err != nil {
		return "", fmt.Errorf("%s %w %s", name, ErrOutside, r.Path)
	}
	return r.inside(filepath.ToSlash(rel), name)
}

// Part returns the part of the project in which a folder lies, below the project and with slashes: "" for the project
// itself, and for a folder elsewhere.
func (r Root) Part(folder string) string {
	folder = filepath.Clean(absolute(folder, "."))
	for _, at := range []func(string) string{filepath.Clean, resolve} {
		if part, err := filepath.Rel(r.Project, at(folder)); err == nil && filepath.IsLocal(part) {
			return strings.TrimPrefix(path.Join("/", filepath.ToSlash(part)), "/") // "" for "."
		}
	}
	return ""
}

func (r Root) inside(below, name string) (string, error) {
	if below == ".." || strings.HasPrefix(below, "../") || strings.HasPrefix(below, "/") {
		return "", fmt.Errorf("%s %w %s", name, ErrOutside, r.Path)
	}
	return below, nil
}

// Named returns the paths of the memories with an id, at most one in each category
// folder.
func (r Root) Named(id string) ([]string, error) {
	var paths []string
	for _, info := range schemas.Categories {
		path := info.Folder + "/" + id + ".json"
		_, err := gate.Lstat(r.Join(path))
		if err == nil {
			paths = append(paths, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return paths, nil
}

// LeadsOutError means that the memory root of a project is a link, or lies behind one, that
// leads out of the project. Its files are not the project's.
type LeadsOutError struct{ path, target string }

func (e *LeadsOutError) Error() string {
	return fmt.Sprintf("the memory root %s leads out of the project, to %s", e.path, e.target)
}

// Hint says what helps.
func (e *LeadsOutError) Hint() string {
	return fmt.Sprintf(`remove the link; if that folder is yours, list it in your own settings: `+
		`memctl config set sources.roots '["%s"]' --user`,
		filepath.ToSlash(e.target))
}

// staysInProject returns a *LeadsOutError if a project's links lead its memory root, at an
// absolute path, to a target out of the project that the user's own settings do not list. The
// root need not exist.
func staysInProject(path, target string) error {
	project := filepath.Dir(filepath.Dir(path))
	if target == path || !isRootPath(path) || IsHome(project) { // a root elsewhere is one that the user has named
		return nil
	}
	if _, err := (gate.Place{Folder: project}).Leads(path); err == nil || isListed(target) {
		return nil
	}
	return &LeadsOutError{path, target}
}

// isListed reports whether the user's own settings list a root by its path, or its project.
// A pattern lists none: a clone may match it.
func isListed(root string) bool {
	cfg, err := UserConfig()
	return err == nil && slices.ContainsFunc(cfg.Sources.Roots, func(path string) bool {
		path = absolute(path, ".")
		return resolve(path) == root || resolve(filepath.Join(path, filepath.FromSlash(RootPath))) == root
	})
}

// Gone reports whether a file that a memory names, relative to the project, does not
// exist. It looks nowhere outside the project: of patterns, absolute paths and paths
// that lead out it says nothing.
func (r Root) Gone(related string) bool {
	path := filepath.FromSlash(related)
	if len(path) > MaxPath || !filepath.IsLocal(path) || strings.ContainsAny(path, "*?[{") {
		return false
	}
	project, err := gate.Enter(r.Project)
	if err != nil {
		return false
	}
	defer project.Close()
	_, err = project.LstatNamed(gate.Name(related))
	return errors.Is(err, fs.ErrNotExist)
}

// Inside is a place in a memory root.
type Inside struct {
	Root string // the root's folder, absolute; it may not exist yet
	Path string // below the root, with slashes; "." is the root itself
}

// IsConfig reports whether it is the root's configuration, which people and agents may
// write as they like.
func (in Inside) IsConfig() bool { return in.Path == ConfigName }

// Open returns the root in which the path lies.
func (in Inside) Open() (Root, error) { return open(in.Root) }

// MaxPath is the length, in bytes, above which no system opens a path. Locate judges a longer one by
// its spelling alone.
const MaxPath = 1 << 15

// Locate returns the places in memory roots that a tool's path leads to: as it is
// spelled and, last, where its links lead. Every .claude/memory is a root, of any
// project, whether it exists or not. So are the known ones, which may lie elsewhere ("" for
// none). Any other path leads to no such place.
//
// Locate takes a hard link for a separate file, because its other names are unknown.
func Locate(path, cwd string, known ...string) []Inside {
	path = absolute(path, cwd)
	spelled := filepath.Clean(path)
	found := with(nil, spelled, namedRoot(spelled, foldsCase))
	if len(spelled) > MaxPath || strings.IndexByte(path, 0) >= 0 {
		return found
	}
	// The kernel takes the ".." of link/../file from the link's target, most tools
	// from the link itself.
	forms := []string{path, spelled}
	if path == spelled || len(path) > MaxPath {
		forms = forms[1:]
	}
	for _, form := range forms {
		target, existing := gate.Follow(form)
		found = with(found, target, cmp.Or(namedRoot(target, foldsCase), sameRoot(existing, known)))
	}
	return found
}

// with moves or adds path to the end of the list if it lies in root.
func with(found []Inside, path, root string) []Inside {
	if root == "" {
		return found
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return found // "gone/../.." led out of it again
	}
	in := Inside{root, filepath.ToSlash(rel)}
	return append(slices.DeleteFunc(found, func(other Inside) bool { return other == in }), in)
}

// absolute expands ~ the way the client does: it takes ~user for a plain name.
func absolute(path, cwd string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	if abs, err := filepath.Abs(cwd); err == nil {
		cwd = abs
	}
	if onDrive, ok := withDrive(path, cwd); ok {
		return onDrive
	}
	return cwd + string(filepath.Separator) + path
}

// foldsCase is set on systems where names that differ in case usually mean one file.
const foldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// namedRoot returns the part of a clean path up to the first .claude/memory, "" if it
// has none. Both words are ASCII, so the Unicode form of the file system's names does
// not matter.
func namedRoot(path string, fold bool) string {
	same := func(a, b string) bool { return a == b || fold && strings.EqualFold(a, b) }
	folder, file, _ := strings.Cut(RootPath, "/")
	// \\server\share is no name.
	below := strings.TrimPrefix(path[len(filepath.VolumeName(path)):], string(filepath.Separator))
	for previous := ""; below != ""; {
		var name string
		name, below, _ = strings.Cut(below, string(filepath.Separator))
		if same(previous, folder) && same(name, file) {
			return strings.TrimSuffix(path[:len(path)-len(below)], string(filepath.Separator))
		}
		previous = name
	}
	return ""
}

// sameRoot returns the part of a path that is a memory root under another name: the
// same folder as a known one, or as its grandparent's .claude/memory. Only the file system
// knows which spellings mean the same.
func sameRoot(path string, known []string) string {
	wanted := make([]os.FileInfo, len(known))
	for i, root := range known {
		wanted[i], _ = gate.Stat(root)
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		info, _ := gate.Stat(dir)
		named, _ := gate.Stat(filepath.Join(dir, "..", "..", RootPath))
		if os.SameFile(info, named) || slices.ContainsFunc(wanted,
			func(root os.FileInfo) bool { return os.SameFile(info, root) }) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
