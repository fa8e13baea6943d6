package writer

import (
	"errors"
	"io/fs"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// newName is where the memory goes: elsewhere in its folder where its title has
// become another one and that name is free, or where an earlier rename was cut
// short after the file had got its new id.
func (w *Writer) newName(m *memory, old, doc schemas.Document) (place, error) {
	slug := text.Slug(titleOf(doc))
	if slug == "" || slug == m.stem || !retitled(titleOf(old), titleOf(doc)) && doc["id"] != slug {
		return m.place, nil
	}
	return w.freeName(m, slug)
}

// freeName is the place of that stem, unless something is there already.
func (w *Writer) freeName(m *memory, stem string) (place, error) {
	to := m.renamed(stem)
	_, err := m.folder.Stat(to.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return to, nil
	case err == nil:
		w.warn("slug collision: %s exists, the file keeps its name", to.shown)
	}
	return m.place, err
}

// retitled tells whether more than half of the words of two titles stand in one
// of them only.
func retitled(before, after string) bool {
	a, b := words(before), words(after)
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	shared := 0
	for word := range a {
		if b[word] {
			shared++
		}
	}
	all := len(a) + len(b) - shared
	return 2*(all-shared) > all
}

func words(title string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text.Lower(title)) {
		set[word] = true
	}
	return set
}
