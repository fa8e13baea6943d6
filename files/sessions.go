package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"memctl/files/gate"
)

// SessionsFolder holds what tools did: a file of JSON lines for each session.
const SessionsFolder = "observations"

const sessionSuffix = ".jsonl"

// MaxSessionFile is the size limit of a session's file in bytes. memctl neither reads
// a larger one nor appends to it; gc removes it when its time comes.
const MaxSessionFile = 32 << 20

// Sessions is the opened folder of the sessions' files. It reads and writes nothing
// outside the folder and follows no link in it.
type Sessions struct{ dir *gate.Dir }

// SessionFile is one file as the file system has it.
type SessionFile struct {
	Name    string
	Size    int64
	MtimeNS int64
	Inode   uint64
}

// Path is relative to the root.
func (f SessionFile) Path() string { return SessionsFolder + "/" + f.Name }

// SessionFileName is the name of a session's file. Session ids come from outside:
// the caller makes them plain names.
func SessionFileName(plain string) string { return plain + sessionSuffix }

// OpenSessions opens the folder for reading, nil if it does not exist.
func (r Root) OpenSessions() (*Sessions, error) {
	dir, _, err := r.enter(SessionsFolder)
	if errors.Is(err, ErrNotFolder) {
		err = fmt.Errorf("%s: %w", SessionsFolder, err)
	}
	if dir == nil || err != nil {
		return nil, err
	}
	return &Sessions{dir}, nil
}

// SessionFiles lists the files of sessions, sorted by name, without strays.
func (r Root) SessionFiles() ([]SessionFile, error) {
	sessions, err := r.OpenSessions()
	if sessions == nil {
		return nil, err
	}
	defer sessions.Close()
	return sessions.List()
}

// Close closes the folder.
func (s *Sessions) Close() error { return s.dir.Close() }

// ignoreAll is the .gitignore of the folder: observations are private, and a root that
// init did not make has no .gitignore.
const ignoreAll = "# What tools did in a session: not for review.\n*\n"

// AppendToSession adds a line to a session's file in one write, and makes the file
// and its folder if they do not exist. Several processes may append at once: the
// system puts each line after the last. If the file ends in half a line, a line feed
// comes first. Half a line can still appear between that check and the write;
// readers cope (schemas.DecodeObservation).
func (r Root) AppendToSession(name string, line []byte) error {
	file, size, err := r.openSession(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if size > 0 && !endsLine(file, size) {
		line = append([]byte("\n"), line...)
	}
	if _, err := file.Write(line); err != nil {
		return fmt.Errorf("%s: %w", name, gate.Reason(err))
	}
	return nil
}

// endsLine reports whether a file ends with a line feed. If it does not, another
// process is usually writing at this moment, so endsLine tries a few times.
func endsLine(file *gate.File, size int64) bool {
	const attempts = 20
	var last [1]byte
	for range attempts {
		if _, err := file.ReadAt(last[:], size-1); err != nil || last[0] == '\n' {
			return true // add nothing to a file that cannot be read
		}
		if info, err := file.Stat(); err == nil {
			size = info.Size()
		}
	}
	return false
}

// openSession opens a session's file for appending. It makes the folder, if it does
// not exist, so that only this user can enter it.
func (r Root) openSession(name string) (*gate.File, int64, error) {
	root, err := gate.Enter(r.Path)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	dir, err := privateFolder(root, SessionsFolder)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", SessionsFolder, err)
	}
	s := &Sessions{dir}
	defer s.Close()
	file, size, err := s.open(name, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, gate.Reason(err))
	}
	if size == 0 {
		s.ignore()
	}
	return file, size, nil
}

// ignore makes git ignore the folder. A failure does not stop the recording; doctor
// reports it.
func (s *Sessions) ignore() {
	file, err := s.dir.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_, _ = file.WriteString(ignoreAll)
	_ = file.Close()
}

// Open opens a file for reading and returns its size.
func (s *Sessions) Open(name string) (*gate.File, int64, error) { return s.open(name, os.O_RDONLY) }

// open refuses links, pipes, folders and files that are too large.
func (s *Sessions) open(name string, how int) (*gate.File, int64, error) {
	named, err := s.dir.Lstat(name)
	if err == nil && !named.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%w, found %s", ErrNotFile, gate.Kind(named.Mode()))
	}
	file, size, err := gate.Regular(s.dir.OpenFile(name, how|syscall.O_NONBLOCK, 0o600))
	if err == nil && size > MaxSessionFile {
		file.Close()
		return nil, 0, gate.TooLarge(size, MaxSessionFile)
	}
	if err != nil || named == nil {
		return file, size, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(named, opened) {
		file.Close()
		return nil, 0, errors.Join(err, errors.New("it has just been replaced"))
	}
	return file, size, nil
}

// List returns the files of sessions, sorted by name, without strays.
func (s *Sessions) List() ([]SessionFile, error) {
	files, _, err := s.ListAll()
	return files, err
}

// Stray has the name of a session's file but is something else, such as a link.
// Hooks refuse it.
type Stray struct {
	Name string
	Err  error
}

// ListAll returns the files of sessions and the strays.
func (s *Sessions) ListAll() (files []SessionFile, strays []Stray, err error) {
	entries, err := fs.ReadDir(s.dir.FS(), ".")
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), sessionSuffix) {
			continue
		}
		info, err := s.dir.Lstat(entry.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, nil, err
		case !info.Mode().IsRegular():
			strays = append(strays, Stray{entry.Name(), fmt.Errorf("%w, found %s", ErrNotFile, gate.Kind(info.Mode()))})
		default:
			files = append(files, SessionFile{entry.Name(), info.Size(), info.ModTime().UnixNano(), inodeOf(info)})
		}
	}
	return files, strays, nil
}

// Remove deletes a file.
func (s *Sessions) Remove(name string) error { return gate.Reason(s.dir.Remove(name)) }

// MaxLine is the longest line of a session's file that memctl reads, in bytes. Those
// it writes are less than a quarter as long.
const MaxLine = 1 << 20

// Lines reads whole lines and passes each to use without its line feed, nil for one
// that is too long, with the number of bytes before it. It returns their number of bytes and
// leaves out what follows the last line feed, which is still being written.
func Lines(in io.Reader, use func(at int64, line []byte) error) (read int64, err error) {
	r := bufio.NewReaderSize(in, 64<<10)
	var line []byte
	var size int64
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if size <= MaxLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return read, nil
		case err != nil:
			return read, err
		}
		whole := line[:max(0, len(line)-1)]
		if size > MaxLine {
			whole = nil
		}
		if err := use(read, whole); err != nil {
			return read, err
		}
		read += size
		line, size = line[:0], 0
	}
}
