package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"memctl/memdir"
	"memctl/schemas"
)

// memory is a memory file, read under the write lock.
type memory struct {
	place
	folder *memdir.Folder
	data   []byte
}

// lockedMemory runs change as the only writer, on the memory that a path or an id
// names, and indexes the files that it changed.
func (w *Writer) lockedMemory(
	ctx context.Context, target string, code Code, change func(*memory) (paths []string, err error),
) error {
	if _, err := os.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
		return w.notFound(target, code) // there is no root to lock
	}
	return w.locked(ctx, code, func() ([]string, error) {
		m, err := w.openMemory(target, code)
		if err != nil {
			return nil, err
		}
		defer m.folder.Close()
		return change(m)
	})
}

// openMemory reads the memory that a path or an id names. The caller closes its folder.
func (w *Writer) openMemory(target string, code Code) (*memory, error) {
	p, err := w.existing(target, code)
	if err != nil {
		return nil, err
	}
	folder, err := w.open(p, w.Root.OpenFolder)
	if err != nil {
		return nil, err
	}
	if folder == nil {
		return nil, w.notFound(p.shown, code)
	}
	data, _, err := folder.Read(p.file())
	var twin *memdir.TwinError
	if err == nil && errors.As(folder.CheckTwin(p.file()), &twin) { // the file system folds case
		err = pathError(p.shown, "the file's name is "+twin.Name, "give the name as it is")
	}
	var refused *Error
	switch {
	case errors.As(err, &refused):
	case errors.Is(err, fs.ErrNotExist):
		err = w.notFound(p.shown, code)
	case errors.Is(err, memdir.ErrNotFile):
		err = pathError(p.shown, err.Error(), "give the path of a memory file")
	case err != nil:
		err = unreadable(p, err)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return &memory{p, folder, data}, nil
}

// saved is the answer for a memory that stays in its place.
func (m *memory) saved(status string, doc *schemas.Memory) Saved {
	return Saved{Status: status, Target: m.shown, ID: m.stem, Title: doc.Title, TimesUpdated: doc.TimesUpdated}
}

// decode decodes the memory.
func (m *memory) decode() (*schemas.Memory, error) {
	doc, err := schemas.DecodeExact(m.data)
	if err != nil {
		return nil, unreadable(m.place, err)
	}
	return doc, nil
}

func unreadable(p place, err error) *Error {
	return refuse(ReadError, p.shown, err.Error(), "fix the file by hand; memctl validate says more")
}

// inTheWay says what has the name of a new file that could not be written, "" for another error.
func inTheWay(err error) string {
	var twin *memdir.TwinError
	switch {
	case errors.As(err, &twin):
		return twin.Error()
	case errors.Is(err, fs.ErrExist):
		return "another process has just created it"
	}
	return ""
}

// replace writes the new content and then renames the file, if it gets a new name.
// If the process dies there is one file, old or new. It returns the paths to index.
func (m *memory) replace(data []byte, to place) ([]string, error) {
	if err := m.folder.Replace(m.file(), data); err != nil {
		return nil, err
	}
	if to.stem == m.stem {
		return []string{m.path()}, nil
	}
	if err := m.folder.MoveNew(m.file(), to.file()); err != nil {
		return []string{m.path()}, refuse(UpdateError, m.shown, "saved, but not renamed to "+to.shown+": "+err.Error(),
			"update it once more: that completes the rename")
	}
	return []string{m.path(), to.path()}, nil
}

// encodeValid encodes a memory and checks it against its schema.
func encodeValid(doc *schemas.Memory) ([]byte, error) {
	data, err := encode(doc)
	if err != nil {
		return nil, err
	}
	return data, invalid(schemas.Validate(data))
}

func encode(doc *schemas.Memory) ([]byte, error) {
	data, err := doc.Encode()
	if errors.Is(err, schemas.ErrTooLarge) {
		return nil, refuse(LimitError, "", err.Error(), "shorten the memory, or split it")
	}
	return data, err
}

// statusOf returns the record_status, active for a memory that has none.
func statusOf(doc *schemas.Memory) string {
	if status := doc.Get("record_status"); status != nil {
		return fmt.Sprint(status)
	}
	return string(schemas.Active)
}

// strs returns the strings of a list. A string counts as a list of one.
func strs(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
