package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
)

// sentenceField is the member of a file written by hand that makes the memory.
const sentenceField = "text"

// Completed is the answer of Complete.
type Completed struct {
	Path    string    `json:"path"`   // below the root
	Fields  []string  `json:"fields"` // that were added or changed
	Privacy *Withheld `json:"privacy,omitempty"`
}

// CompleteEach is Complete for many files, each of which it reports to done. It updates the index once, at the end.
func (w *Writer) CompleteEach(ctx context.Context, paths []string, dryRun bool,
	prepare func(at, sentence string, given *schemas.Memory), done func(at string, c Completed, err error)) error {
	_, err := w.each(ctx, paths, func(i int) error {
		at := paths[i]
		c, err := w.Complete(ctx, at, dryRun, func(sentence string, given *schemas.Memory) {
			prepare(at, sentence, given)
		})
		done(at, c, err)
		return err
	})
	return err
}

// Complete makes a memory of a file that a person wrote by hand, at a path below the root: with a title and a sentence,
// in the member "text" or in the one that carries a memory of the category, such as "decision". The folder is the
// category, and the name the id. Prepare gives the memory the fields that the wording of the sentence decides; the
// others are those that Add gives it. What Complete does not know it refuses, and then the file stays as it is.
func (w *Writer) Complete(
	ctx context.Context, at string, dryRun bool, prepare func(sentence string, given *schemas.Memory),
) (done Completed, err error) {
	if w.Propose != nil {
		return done, refuse(ValidationError, at, "changes of agents wait for a person (capture.review)",
			"ask the user to run memctl validate --fix")
	}
	err = w.lockedMemory(ctx, w.Root.Shown+"/"+at, ValidationError, func(m *memory) ([]string, error) {
		before, sentence, content, err := m.handWritten()
		if err != nil {
			return nil, err
		}
		doc := schemas.MemoryOf(before.Values())
		doc.SetContent(content)
		prepare(sentence, doc)
		done.Path = at
		if done.Privacy, err = w.complete(m, doc, sentence); err != nil {
			return nil, err
		}
		for _, d := range schemas.Differences(before, doc) {
			done.Fields = append(done.Fields, d.Field)
		}
		data, err := encodeValid(doc)
		if err != nil || dryRun {
			return nil, err
		}
		return m.replace(data, m.place)
	})
	return done, err
}

// handWritten returns the fields of a file, its sentence, "" if that is in the content, and the content. It refuses a
// file with something wrong in it, not only missing.
func (m *memory) handWritten() (doc *schemas.Memory, sentence string, content map[string]any, err error) {
	form := schemas.FormOf(m.category)
	carrying := form.Content[slices.IndexFunc(form.Content, func(f schemas.Field) bool { return carries[f.Name] })].Name
	names := []string{sentenceField, carrying}
	lacks := func(field, got string) error {
		return invalid([]schemas.Violation{{Field: field, Rule: "required", Got: got,
			Expected: fmt.Sprintf("one sentence, as %q or as %q", sentenceField, carrying)}})
	}
	wrong := slices.DeleteFunc(schemas.ValidateAs(m.file(), m.category, m.data), func(v schemas.Violation) bool {
		return v.Rule == "required" || v.Rule == "additionalProperties" && slices.Contains(names, v.Field)
	})
	if err = invalid(wrong); err != nil {
		return nil, "", nil, err
	}
	if doc, err = m.decode(); err != nil {
		return nil, "", nil, err
	}
	values := doc.Values()
	content = doc.ContentValues()
	within, _ := content[carrying].(string)
	for _, name := range names {
		value, found := values[name]
		if !found {
			continue
		}
		said, _ := value.(string)
		said = strings.TrimSpace(said)
		switch {
		case said == "":
			return nil, "", nil, lacks(name, "no text")
		case sentence != "" || within != "":
			return nil, "", nil, lacks(name, "both")
		}
		delete(values, name)
		if sentence = said; name == carrying { // it stays whole
			sentence, within = "", said
		}
	}
	doc = schemas.MemoryOf(values)
	if within != "" {
		content[carrying] = within
	}
	switch {
	case sentence == "" && within == "":
		return nil, "", nil, lacks(sentenceField, "missing")
	case sentence == "" && doc.Title == "":
		sentence = within // which says the title, too
	}
	return doc, sentence, content, nil
}

// complete adds the missing fields, and removes private text.
func (w *Writer) complete(m *memory, doc *schemas.Memory, sentence string) (*Withheld, error) {
	created, updated := doc.CreatedAt, doc.UpdatedAt
	doc.ID, doc.RecordStatus = m.stem, cmp.Or(doc.RecordStatus, schemas.Active)
	removed, err := w.Draft(m.category, sentence, doc)
	if refused := new(Error); errors.As(err, &refused) { // a draft begins as a title
		refused.Problems[0].Field = sentenceField
	}
	if err != nil {
		return nil, err
	}
	doc.CreatedAt, doc.UpdatedAt = cmp.Or(created, doc.CreatedAt), cmp.Or(updated, created, doc.UpdatedAt)
	doc.Tags = cleanTags(doc.Tags)
	doc.ProposeCheck()
	removed = append(redactions(removed), w.redact(doc)...)
	return w.withheld(m.path()+": ", removed), checkTitle(doc, removed)
}
