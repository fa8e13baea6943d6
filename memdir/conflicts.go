package memdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// ConflictSuffix ends the name of the file that a merge writes next to ID.json if both
// sides changed the same value: ID.conflict. It is not a memory, and git ignores it.
const ConflictSuffix = ".conflict"

// Conflicts returns the ids of the *.conflict files of the folder, sorted.
func (f *Folder) Conflicts() ([]string, error) {
	if _, err := f.handle.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var ids []string
	names, err := f.handle.Readdirnames(-1)
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ConflictSuffix); ok && id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, err
}

// RemoveIfThere is Remove for a file that may not exist.
func (f *Folder) RemoveIfThere(name string) error {
	if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}
