package files

import (
	"cmp"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// ForeignError means that a folder in the place of a memory root is another tool's. Hooks do
// nothing there, and no memory is saved.
type ForeignError struct {
	Root  Root     // that the folder would be
	Holds []string // names of the first files that are not memctl's
	More  int      // how many there are besides
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%v: %s is not memctl's: it seems to hold %s", ErrNoRoot, e.Root.Path, e.whose())
}

// Shared says what becomes of the files now that init has made the folder memctl's too.
func (e *ForeignError) Shared() string {
	return fmt.Sprintf("the folder holds %s: memctl leaves them as they are, and from now on keeps agents from "+
		"writing there", e.whose())
}

// whose says what the folder seems to hold.
func (e *ForeignError) whose() string {
	whose := "files of another tool"
	if slices.Contains(e.Holds, notesIndex) {
		whose = "the notes of Claude Code or of another tool"
	}
	return whose + " (" + strings.Join(e.Holds, ", ") + text.AndMore(e.More) + ")"
}

func (e *ForeignError) Unwrap() error { return ErrNoRoot }

// Hint says what to do.
func (e *ForeignError) Hint() string {
	return `"memctl init" has memctl keep its memories there too, in folders of their own; ` +
		`your memories for all projects are elsewhere: "memctl init --user"`
}

const (
	// notesIndex is the file in which Claude Code, and tools like it, list their notes.
	notesIndex = "MEMORY.md"
	// maxTried is how many files of a category folder are read to find a memory.
	maxTried = 256
	// maxHolds is how many names a ForeignError has.
	maxHolds = 3
)

// checkOwn returns a *ForeignError if the folder of a root is another tool's. It is memctl's if
// it has memory-config.json, which init writes, or a memory, or if it holds nothing else. Every
// door asks it, by Find, At, UserRoot or Inside.Open.
func (r Root) checkOwn() error {
	if _, err := gate.Lstat(r.Join(ConfigName)); err == nil {
		return nil
	}
	dir, err := gate.Enter(r.Path)
	if err != nil {
		return nil // whoever uses the root says what is wrong
	}
	defer dir.Close()
	var others []string
	for name := range entries(dir, ".") {
		if !isRootEntry(name) {
			others = append(others, name)
		}
	}
	for _, info := range schemas.Categories {
		tried := 0
		for name := range entries(dir, info.Folder) {
			switch at := info.Folder + "/" + name; {
			case path.Ext(name) == ".md":
				others = append(others, at)
			case isMemoryFile(name) && tried < maxTried:
				if tried++; holdsMemory(dir, at) {
					return nil
				}
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.SortFunc(others, func(a, b string) int { // those beside the category folders first
		return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(a, b))
	})
	if i := slices.Index(others, notesIndex); i > 0 {
		others = slices.Insert(slices.Delete(others, i, i+1), 0, notesIndex)
	}
	shown := others[:min(len(others), maxHolds)]
	return &ForeignError{Root: r, Holds: shown, More: len(others) - len(shown)}
}

// entriesAtOnce is how many entries of a folder are read at once: the first file mostly says whose the folder is.
const entriesAtOnce = 16

// entries yields the names in a folder of a root, in no order; none if it is a link or cannot be read.
func entries(dir *gate.Dir, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if info, err := dir.Lstat(name); err != nil || !info.IsDir() {
			return
		}
		folder, err := dir.Open(name)
		if err != nil {
			return
		}
		defer folder.Close()
		for err == nil {
			var names []string
			names, err = folder.Readdirnames(entriesAtOnce)
			for _, name := range names {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// isRootEntry reports whether an entry of a root is memctl's, or one that says nothing.
func isRootEntry(name string) bool {
	_, isFolder := schemas.CategoryOfFolder(name)
	return isFolder || strings.HasPrefix(name, ".") || strings.HasPrefix(name, IndexName) ||
		strings.HasPrefix(name, "README") || name == ConfigName || name == SynonymsName || name == SessionsFolder
}

func holdsMemory(dir *gate.Dir, name string) bool {
	data, err := gate.ReadIn(dir, name, schemas.MaxFileBytes)
	if err != nil {
		return false
	}
	m, err := schemas.Decode(data)
	return err == nil && m.Title != "" // any JSON object decodes
}

// Foreign lists what another tool keeps in the folder of a root, nil if there is nothing: for
// init, which makes the folder memctl's too.
func Foreign(path string) *ForeignError {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	foreign, _ := Root{Path: resolved}.checkOwn().(*ForeignError)
	return foreign
}
