package writer

import (
	"errors"
	"io/fs"
	"strings"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// newName returns where an updated memory goes. It gets the name of its new title if
// most words of that are new and the name is free. It also gets it if the file has
// that id already because a process died during an earlier rename.
func (w *Writer) newName(m *memory, old, doc *schemas.Memory) (place, error) {
	slug := text.Slug(doc.Title)
	if slug == "" || slug == m.stem || !retitled(old.Title, doc.Title) && doc.ID != slug {
		return m.place, nil
	}
	return w.freeName(m, slug)
}

// freeName returns the place of that stem, or the memory's own if that is taken.
func (w *Writer) freeName(m *memory, stem string) (place, error) {
	to := m.renamed(stem)
	_, err := m.folder.Stat(to.file())
	if errors.Is(err, fs.ErrNotExist) {
		if err = m.folder.CheckTwin(to.file()); err == nil {
			return to, nil
		}
	}
	var twin *memdir.TwinError
	switch {
	case err == nil:
		w.warn("slug collision: %s exists, the file keeps its name", to.shown)
	case errors.As(err, &twin):
		w.warn("slug collision: %v, the file keeps its name", twin)
		err = nil
	}
	return m.place, err
}

// retitled reports whether more than half of the words of two titles are in only
// one of them.
func retitled(before, after string) bool {
	a, b := strings.Fields(text.Lower(before)), strings.Fields(text.Lower(after))
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	removed, added := without(a, b), without(b, a)
	return 2*(len(removed)+len(added)) > len(without(a, nil))+len(added)
}
