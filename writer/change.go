package writer

import (
	"context"

	"memctl/files"
	"memctl/schemas"
)

// File is the file of a memory while Change holds the write lock.
type File struct {
	Target  string // the memory, as the caller named it
	Path    string // below the root
	Data    []byte
	Folder  *files.Folder
	memory  *memory
	writer  *Writer
	changed []string
}

// Change runs change on the memory that a path or an id names, as the only writer of the root, and then
// indexes the file if change replaced it. It gives the code to an error that is not an *Error.
func (w *Writer) Change(ctx context.Context, target string, code Code, change func(*File) error) error {
	return w.lockedMemory(ctx, target, code, func(m *memory) ([]string, error) {
		f := &File{Target: m.shown, Path: m.path(), Data: m.data, Folder: m.folder, memory: m, writer: w}
		err := change(f)
		return f.changed, err
	})
}

// Decode decodes the memory.
func (f *File) Decode() (*schemas.Memory, error) { return f.memory.decode() }

// Unreadable is the refusal of a file that cannot be read as a memory.
func (f *File) Unreadable(err error) *Error { return unreadable(f.memory.place, err) }

// Replace writes a memory into the file, without private text. It writes nothing if the file would stay the same.
// It refuses an invalid memory unless the memory may be invalid.
func (f *File) Replace(doc *schemas.Memory, mayBeInvalid bool) (*Withheld, error) {
	removed := f.writer.Redact(f.Path+": ", doc)
	data, err := encode(doc)
	if err != nil {
		return removed, err
	}
	if violations := schemas.Validate(data); len(violations) > 0 && !mayBeInvalid {
		return removed, invalid(violations)
	}
	if string(data) == string(f.Data) {
		return removed, nil
	}
	f.memory.rewrote(data)
	if err := f.Folder.Replace(f.memory.file(), data); err != nil {
		return removed, f.memory.unwritten(err)
	}
	f.changed = []string{f.Path}
	return removed, nil
}

// Redact removes private text and secrets from a memory. It reports the removed text, with where before the names of
// fields, and returns the report; nil if there was none.
func (w *Writer) Redact(where string, doc *schemas.Memory) *Withheld {
	return w.withheld(where, w.redact(doc))
}
