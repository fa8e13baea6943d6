package memdir

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"memctl/gate"
)

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
	_, err = project.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
