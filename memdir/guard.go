package memdir

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memctl/gate"
)

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
		wanted[i], _ = os.Stat(root)
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		info, _ := os.Stat(dir)
		named, _ := os.Stat(filepath.Join(dir, "..", "..", RootPath))
		if os.SameFile(info, named) || slices.ContainsFunc(wanted,
			func(root os.FileInfo) bool { return os.SameFile(info, root) }) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
