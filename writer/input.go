package writer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"memctl/memdir"
	"memctl/schemas"
)

// maxInput is the largest input, in bytes.
const maxInput = 1 << 20

// Input is a draft of a memory.
type Input struct {
	Name string // as the caller gave it; "-" is stdin
	Data []byte
	path string // of its file; "" for stdin
}

// ReadInput reads a draft from stdin, or from a file below the system's temporary
// folder, where the staging folder is too. It follows no links and opens only
// regular files. It refuses files in a memory root, because Remove deletes a draft
// once it is used.
func ReadInput(root memdir.Root, name string, stdin io.Reader) (Input, error) {
	in := Input{Name: name}
	if name != "-" {
		file, err := in.open(root)
		if err != nil {
			return in, err
		}
		defer file.Close()
		stdin = file
	}
	var err error
	in.Data, err = ReadAtMost(stdin)
	return in, in.unreadable(err)
}

func (in *Input) open(root memdir.Root) (*os.File, error) {
	if strings.Contains(in.Name, "..") {
		return nil, in.refused(root, `".." in the path`)
	}
	path, err := filepath.Abs(in.Name)
	if err != nil {
		return nil, in.unreadable(err)
	}
	in.path = path
	below, ok := belowTemp(path)
	if !ok {
		return nil, in.refused(root, "the file is not in "+os.TempDir())
	}
	if len(memdir.Locate(path, "", root.Path)) > 0 {
		return nil, in.refused(root, "the file is in a memory root")
	}
	file, err := openPlain(os.TempDir(), below)
	if errors.Is(err, errNotPlain) {
		return nil, in.refused(root, err.Error())
	}
	return file, in.unreadable(err)
}

// Remove removes a draft's file, if it has one.
func (in Input) Remove() error {
	if in.path == "" {
		return nil
	}
	return os.Remove(in.path)
}

// document decodes the draft.
func (in Input) document() (schemas.Document, error) {
	doc, err := schemas.DecodeDocument(in.Data)
	return doc, in.unreadable(err)
}

func (in Input) unreadable(err error) error {
	if err == nil {
		return nil
	}
	return failed(InputError, "path", in.Name, "error", err.Error(), "fix", "hand in one memory as a JSON object")
}

func (in Input) refused(root memdir.Root, why string) error {
	return failed(SecurityError, "path", in.Name, "error", why,
		"fix", "put the draft into "+root.Staging()+", or use --input - and stdin")
}

// ReadAtMost reads to the end. It fails if there is more than 1 MiB.
func ReadAtMost(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("more than %d MiB", maxInput>>20)
	}
	return data, err
}

// belowTemp makes a path relative to the temporary folder, which it may name with
// or without links.
func belowTemp(path string) (string, bool) {
	temps := []string{filepath.Clean(os.TempDir())}
	if real, err := filepath.EvalSymlinks(temps[0]); err == nil {
		temps = append(temps, real)
	}
	for _, temp := range temps {
		if rel, err := filepath.Rel(temp, path); err == nil && filepath.IsLocal(rel) && rel != "." {
			return rel, true
		}
	}
	return "", false
}

var errNotPlain = errors.New("the path leads through a link, or to no regular file")

// openPlain opens a regular file below a folder. No part of the path may be a link.
// A file that is swapped between the check and the opening has another identity.
func openPlain(folder, path string) (*os.File, error) {
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var seen fs.FileInfo
	parts := strings.Split(path, string(filepath.Separator))
	for i := range parts {
		if seen, err = dir.Lstat(filepath.Join(parts[:i+1]...)); err != nil {
			return nil, err
		}
		if seen.Mode()&fs.ModeSymlink != 0 {
			return nil, errNotPlain
		}
	}
	if !seen.Mode().IsRegular() {
		return nil, errNotPlain
	}
	file, err := dir.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !os.SameFile(info, seen) {
		file.Close()
		return nil, errors.Join(errNotPlain, err)
	}
	return file, nil
}
