package clients

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
)

// MaxFile limits how much is read of a settings file, in bytes.
const MaxFile = 8 << 20

// PlaceOf says who wrote a file of a client: strangers, if it lies in the project.
func PlaceOf(project, path string) gate.Place {
	if project == "" && !filepath.IsAbs(path) {
		project = "."
	}
	if project == "" || !gate.Contains(project, path) || files.IsHome(project) {
		return gate.Place{Folder: filepath.Dir(path), Owner: gate.User}
	}
	return gate.Place{Folder: project}
}

// ReadFile returns the bytes of a file of the client, nil if there is none. In the project it
// follows no link out of it.
func ReadFile(project, path string) ([]byte, error) {
	return ReadAt(PlaceOf(project, path), path)
}

// ReadAt is ReadFile for a file of a known place.
func ReadAt(place gate.Place, path string) ([]byte, error) {
	data, err := place.Read(path, MaxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && IsLink(path):
		return nil, text.WithHint(fmt.Errorf("%s is a link to a file that is not there", path),
			"make the file it leads to, or remove the link")
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, gate.ErrLeadsOut), errors.Is(err, gate.ErrGit):
		return nil, text.WithHint(err, "put a file in the place of the link")
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return append([]byte{}, data...), nil // not nil
}

// IsLink reports whether a path is a link, wherever it leads.
func IsLink(path string) bool {
	info, err := gate.Lstat(path)
	return err == nil && info.Mode().Type() == fs.ModeSymlink
}

// A file is copied once, before memctl first changes it. The copy is never
// overwritten. Uninstall removes it when the file has the same bytes again. Copies lie in
// the user's state folder: they may hold tokens, and git would take them in a project.

// OlderCopy ends the name of a copy by earlier versions, which lies next to the file.
const OlderCopy = ".memctl-backup"

// CopyPath is where the copy of a file is, or would be.
func CopyPath(path string) (string, error) {
	state, err := files.State()
	if err != nil {
		return "", fmt.Errorf("keep a copy of %s: %w", path, err)
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(state, fmt.Sprintf("copy-%x-%s", sum[:6], filepath.Base(path))), nil
}

// CopiesOf returns where the copy of a file is, or would be, and where earlier versions kept it.
func CopiesOf(place gate.Place, path string) (paths [2]string, places [2]gate.Place, err error) {
	copied, err := CopyPath(path)
	return [2]string{copied, path + OlderCopy},
		[2]gate.Place{{Folder: filepath.Dir(copied), Owner: gate.User}, place}, err
}
