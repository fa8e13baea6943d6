package memdir

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// knownName is the file of this user's state folder that lists the known roots:
	// a hash of the path of each, a line each.
	knownName = "known-roots"
	// knownLimit is the size at which the list starts over, in bytes: some thousand
	// roots. The old list is kept until the next time.
	knownLimit = 256 << 10
)

// Make makes the folder of a root. A new root is known: its files are this user's.
func (r Root) Make() error {
	_, err := os.Lstat(r.Path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(r.Path, 0o755); err != nil {
		return err
	}
	if isNew {
		_, _ = r.Introduce() // if it fails, a session's start announces the user's own memories
	}
	return nil
}

// Introduce makes the root known to this user's memctl and reports whether it was
// unknown: its files came from elsewhere. If it cannot be made known, Introduce returns
// true each time, and the reason.
func (r Root) Introduce() (unknown bool, err error) {
	path, err := filepath.EvalSymlinks(r.Path)
	if err != nil {
		return true, err
	}
	state, err := OpenState()
	if err != nil {
		return true, err
	}
	defer state.Close()
	known, err := state.ReadJournal(knownName, knownLimit)
	if err != nil {
		return true, err
	}
	sum := sha256.Sum256([]byte(path))
	line := []byte(hex.EncodeToString(sum[:]) + "\n")
	if bytes.Contains(known, line) {
		return false, nil
	}
	return true, state.Append(knownName, line, knownLimit)
}

// State returns the path of the folder that OpenState opens.
func State() (path string, err error) {
	state, err := OpenState()
	if err != nil {
		return "", err
	}
	return state.path, state.Close()
}

// OpenState opens memctl's folder among the files that programs of this user keep, and
// makes it if it does not exist. Only this user can enter it.
func OpenState() (*Staged, error) {
	path := cmp.Or(os.Getenv("XDG_STATE_HOME"), os.Getenv("LOCALAPPDATA")) // the second on Windows
	if !filepath.IsAbs(path) {                                             // such a path is to be ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(home, ".local", "state")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	parent, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	dir, err := privateFolder(parent, "memctl")
	if err != nil {
		return nil, err
	}
	return &Staged{filepath.Join(path, "memctl"), dir}, nil
}
