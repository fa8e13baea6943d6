package files

import (
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"memctl/files/gate"
	"memctl/schemas"
)

// Two files are twins if some system takes their names for the same: they differ in case
// or in the Unicode form of a letter alone. A category folder gets no twins, on any
// system, because a repository that has them loses one on macOS and Windows.

// CollisionError means that a category folder has a twin of a new file.
type CollisionError struct {
	Name string // of the file that exists
}

func (e *CollisionError) Error() string {
	return "there is " + e.Name + ", which macOS and Windows take for the same file"
}

// Unwrap makes a TwinError an fs.ErrExist.
func (e *CollisionError) Unwrap() error { return fs.ErrExist }

// CheckTwin returns a *TwinError if the folder has no file of this name, but a twin of it.
// It lists the folder once: the caller holds the write lock.
func (f *Folder) CheckTwin(name string) error { return f.checkTwin(name, "") }

// checkTwin ignores one file, which is about to get the name.
func (f *Folder) checkTwin(name, from string) error {
	if _, known := schemas.CategoryOfFolder(f.Name); !known || !isMemoryFile(name) {
		return nil
	}
	if f.keys == nil {
		names, err := f.List()
		if err != nil {
			return gate.Reason(err)
		}
		if slices.Contains(names, name) {
			return nil // without keys of thousands of names for each of thousands of changes
		}
		f.keys = map[string][]string{}
		for _, other := range names {
			f.addKey(other)
		}
	}
	same := f.keys[NameKey(name)]
	if len(same) == 0 || slices.Contains(same, name) || slices.Contains(same, from) {
		return nil
	}
	return &CollisionError{same[0]}
}

// placeMemory is placeNew that makes no twins.
func (f *Folder) placeMemory(from, to string) error {
	if err := f.checkTwin(to, from); err != nil {
		return err
	}
	err := f.placeNew(from, to)
	if err == nil && f.keys != nil {
		f.addKey(to)
	}
	return err
}

func (f *Folder) addKey(name string) {
	key := NameKey(name)
	f.keys[key] = append(f.keys[key], name)
}

// Collisions returns the groups of names that are twins, in the order of the names.
func Collisions(names []string) [][]string {
	groups := map[string][]string{}
	for _, name := range names {
		key := NameKey(name)
		groups[key] = append(groups[key], name)
	}
	var twins [][]string
	for _, name := range names {
		if group := groups[NameKey(name)]; len(group) > 1 && group[0] == name {
			twins = append(twins, group)
		}
	}
	return twins
}

// NameKey returns what names have in common that some system takes for the name of one
// file: Windows and macOS do not tell upper from lower case, and macOS takes é and e with
// an accent for the same.
func NameKey(name string) string {
	return strings.ToLower(strings.ToUpper(norm.NFC.String(name)))
}
