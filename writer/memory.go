package writer

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"memctl/memdir"
	"memctl/schemas"
)

// memory is a memory file under the write lock.
type memory struct {
	place
	folder *memdir.Folder
	data   []byte
}

// lockedMemory runs fn on the memory that a path or an id names.
func (w *Writer) lockedMemory(ctx context.Context, target string, code Code, fn func(*memory) (paths []string, err error)) error {
	if _, err := os.Stat(w.Root.Path); errors.Is(err, fs.ErrNotExist) {
		return notThere(target, code) // nor is there a root to lock
	}
	return w.locked(ctx, code, nil, func() ([]string, error) {
		p, err := w.existing(target, code)
		if err != nil {
			return nil, err
		}
		folder, err := w.open(p, w.Root.OpenFolder)
		if err != nil {
			return nil, err
		}
		if folder == nil {
			return nil, notThere(p.shown, code)
		}
		defer folder.Close()
		data, _, err := folder.Read(p.file())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, notThere(p.shown, code)
		case errors.Is(err, memdir.ErrNotFile):
			return nil, pathError(p.shown, err.Error(), "give the path of a memory file")
		case err != nil:
			return nil, unreadable(p, err)
		}
		return fn(&memory{p, folder, data})
	})
}

func (m *memory) document() (schemas.Document, error) {
	doc, err := schemas.DecodeDocument(m.data)
	if err != nil {
		return nil, unreadable(m.place, err)
	}
	return doc, nil
}

func unreadable(p place, err error) *Error {
	return failed(ReadError, Detail{"target", p.shown}, Detail{"error", err.Error()}, Detail{"fix", "mend the file by hand; memctl validate says more"})
}

// replace writes the new content and then, if that is asked, gives the file its
// new name: whenever the process dies there is one file, old or new.
func (m *memory) replace(data []byte, to place) ([]string, error) {
	if err := m.folder.Replace(m.file(), data); err != nil {
		return nil, err
	}
	if to.stem == m.stem {
		return []string{m.path()}, nil
	}
	if err := m.folder.MoveNew(m.file(), to.file()); err != nil {
		return []string{m.path()}, failed(UpdateError, Detail{"target", m.shown}, Detail{"error", "saved, but not renamed to " + to.shown + ": " + err.Error()},
			Detail{"fix", "update it once more: that completes the rename"})
	}
	return []string{m.path(), to.path()}, nil
}
