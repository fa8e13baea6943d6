package files

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files/gate"
	"memctl/text"
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
	_, err := gate.Lstat(r.Path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err := gate.MakeFolder(r.Path, 0o755); err != nil {
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
	line, err := r.knownLine()
	if err != nil {
		return true, err
	}
	known, err := ReadState(knownName, knownLimit)
	if err != nil {
		return true, err
	}
	if bytes.Contains(known, line) {
		return false, nil
	}
	if err := keepKnown(known); err != nil {
		return true, err
	}
	return true, AppendState(knownName, line, knownLimit)
}

// Known returns those of some roots that are known.
func Known(roots []Root) (known []Root, err error) {
	lines, err := ReadState(knownName, knownLimit)
	for _, root := range roots {
		if line, lineErr := root.knownLine(); lineErr == nil && bytes.Contains(lines, line) {
			known = append(known, root)
		}
	}
	return known, err
}

// knownLine is the root's line in the list.
func (r Root) knownLine() ([]byte, error) {
	path, err := filepath.EvalSymlinks(r.Path)
	return []byte(text.Hash(path, sha256.Size) + "\n"), err
}

// beforeName is the list of the roots that were known to a memctl which did not ask about others' memories.
const beforeName = "known-before-trust"

// keepKnown keeps the list of known roots as an earlier memctl left it, once.
func keepKnown(known []byte) error {
	if _, err := ReadStateFile(beforeName, 3*knownLimit); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return WriteStateFile(beforeName, string(known))
}

// KnownBefore returns when the first memctl came that asks about others' memories, if the root was known to an earlier
// one; else zero.
func (r Root) KnownBefore() (at time.Time, err error) {
	line, err := r.knownLine()
	if err != nil {
		return at, err
	}
	known, err := ReadState(knownName, knownLimit)
	if err == nil {
		err = keepKnown(known)
	}
	if err != nil || !bytes.Contains(known, line) {
		return at, err
	}
	err = InState(func(state *Staged) error {
		before, err := state.Read(beforeName, 3*knownLimit)
		if bytes.Contains(before, line) {
			at = state.Written(beforeName)
		}
		return err
	})
	return at, err
}

// InState runs use on the state folder (OpenState).
func InState(use func(*Staged) error) error {
	state, err := OpenState()
	if err != nil {
		return err
	}
	return errors.Join(use(state), state.Close())
}

// ReadState reads a journal of the state folder, nil if there is none.
func ReadState(name string, limit int64) (data []byte, err error) {
	err = InState(func(state *Staged) (err error) {
		data, err = state.ReadJournal(name, limit)
		return err
	})
	return data, err
}

// AppendState adds lines to a journal of the state folder.
func AppendState(name string, lines []byte, limit int64) error {
	return InState(func(state *Staged) error { return state.Append(name, lines, limit) })
}

// KeepState adds lines to a file of the state folder that only grows (Staged.Keep).
func KeepState(name string, lines []string, limit int64) error {
	return InState(func(state *Staged) error { return state.Keep(name, lines, limit) })
}

// ReadStateFile reads a file of the state folder that is no journal.
func ReadStateFile(name string, limit int64) (data []byte, err error) {
	err = InState(func(state *Staged) (err error) {
		data, err = state.Read(name, limit)
		return err
	})
	return data, err
}

// WriteStateFile writes a file of the state folder in place of the one before.
func WriteStateFile(name, content string) error {
	return InState(func(state *Staged) error {
		_, err := state.Write(name, content)
		return err
	})
}

// RemoveState removes a file of the state folder and reports whether there was one.
func RemoveState(name string) (was bool, err error) {
	err = InState(func(state *Staged) error { return state.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// State returns the path of the folder that OpenState opens.
func State() (path string, err error) {
	err = InState(func(state *Staged) error {
		path = state.path
		return nil
	})
	return path, err
}

// stateName is memctl's folder in stateFolder.
const stateName = "memctl"

// StatePath is where the folder of OpenState is, or would be.
func StatePath() (string, error) {
	folder, err := stateFolder()
	return filepath.Join(folder, stateName), err
}

// stateFolder is where programs of this user keep their files.
func stateFolder() (string, error) {
	path := cmp.Or(os.Getenv("XDG_STATE_HOME"), os.Getenv("LOCALAPPDATA")) // the second on Windows
	if filepath.IsAbs(path) {                                              // another one is to be ignored
		return path, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// OpenState opens memctl's folder among the files that programs of this user keep, and
// makes it if it does not exist. Only this user can enter it.
func OpenState() (*Staged, error) {
	path, err := stateFolder()
	if err != nil {
		return nil, err
	}
	if err := gate.MakeFolder(path, 0o700); err != nil {
		return nil, err
	}
	parent, err := gate.Enter(path)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	dir, err := privateFolder(parent, stateName)
	if err != nil {
		return nil, err
	}
	return &Staged{filepath.Join(path, stateName), dir}, nil
}

// News are lines for the person that no hook has shown yet. They wait in the state folder for
// the next hook of any project and client.

const (
	newsName   = "news"
	newsLimit  = 64 << 10 // bytes
	newsPrefix = "memctl: "
)

// AddNews keeps a line for the person, as far as it can.
func AddNews(line string) { addWaiting(newsName, newsPrefix+line) }

// NewsPlace is the name in a line for the place of a memory.
func NewsPlace(shown string) string { return "(" + shown + ")" }

// News returns the lines. Mostly there are none, which costs one system call.
func News() string { return news((*Staged).keepWaiting) }

// TakeNews is News that forgets them.
func TakeNews() string { return news((*Staged).takeWaiting) }

func news(read func(*Staged, string) ([]byte, error)) string {
	lines := slices.DeleteFunc(waiting(newsName, read), func(line string) bool {
		return !strings.HasPrefix(line, newsPrefix)
	})
	return strings.Join(lines, "\n")
}

// openedPrefix marks the titles of the memories that an agent has opened in a project.
const openedPrefix = "opened-"

// AddOpened keeps the title of a memory that an agent has opened for the person, as far as it can.
func (r Root) AddOpened(title string) { addWaiting(openedPrefix+r.Key(), title) }

// TakeOpened returns the titles, oldest first, and forgets them.
func (r Root) TakeOpened() []string { return waiting(openedPrefix+r.Key(), (*Staged).takeWaiting) }

func addWaiting(name, line string) {
	_ = AppendState(name, []byte(text.Printable(line)+"\n"), newsLimit)
}

// waiting returns the lines of a journal of the state folder. Without one, it costs one system call.
func waiting(name string, read func(*Staged, string) ([]byte, error)) (lines []string) {
	folder, err := stateFolder()
	if err != nil {
		return nil
	}
	if _, err := gate.Lstat(filepath.Join(folder, stateName, name)); err != nil {
		return nil
	}
	err = InState(func(state *Staged) error {
		data, err := read(state, name)
		for line := range strings.Lines(string(data)) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return err
	})
	if err != nil {
		return nil
	}
	return lines
}

func (s *Staged) keepWaiting(name string) ([]byte, error) { return s.ReadJournal(name, newsLimit) }

func (s *Staged) takeWaiting(name string) ([]byte, error) {
	lines, err := s.keepWaiting(name)
	err = errors.Join(err, s.Remove(name))
	_ = s.Remove(name + oldSuffix) // mostly there is none
	return lines, err
}
