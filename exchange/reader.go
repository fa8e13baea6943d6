package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

// Bounds of what one run reads. A source beyond them is imported in parts.
const (
	maxItems = 100_000
	maxText  = 64 << 20 // of all items, in bytes
)

// reader collects the items of a source.
type reader struct {
	Options
	ctx     context.Context
	src     *source
	source  string // as the user names it
	w       *writer.Writer
	files   []string // of a folder, sorted
	items   []*entry
	size    int
	privacy privacy.Report
	// finish is called once the memories are written, nil for nothing.
	finish func(context.Context, *Import) error
}

// entry is an item with its draft.
type entry struct {
	Item
	doc *schemas.Memory // nil for what is not a memory
	// asItStands is set for memories that were exported.
	asItStands bool
	// text is what the item is made of. Its hash says whether it has changed.
	text string
	hash string
	// name is what others call the item in their links, "" for none.
	name  string
	links []link
	when  time.Time
	made  writer.New
}

// link is a relation of one item to another.
type link struct {
	kind string // in words, such as "superseded by"
	to   string // a name
}

// readAll reads the items of the source.
func (r *reader) readAll(format Format) (err error) {
	if format.match == nil {
		return format.read(r, cmp.Or(r.src.name, format.alone))
	}
	if r.files, err = r.list(format.match, format.enter); err != nil {
		return err
	}
	return r.each(r.files, func(name string) error { return format.file(r, name) })
}

// add adds an item.
func (r *reader) add(e *entry) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	r.size += len(e.text) + len(e.Text) + len(e.Reason)
	switch {
	case len(r.items) >= maxItems:
		return tooMuch(fmt.Sprintf("more than %d items", maxItems))
	case r.size > maxText:
		return tooMuch(fmt.Sprintf("more than %d MiB of text", maxText>>20))
	}
	r.items = append(r.items, e)
	return nil
}

// refuse adds what cannot be read.
func (r *reader) refuse(origin string, line int, reason string) error {
	return r.add(&entry{Item: Item{State: Refused, Origin: origin, Line: line, Reason: reason}})
}

// leaveOut adds what is not a memory.
func (r *reader) leaveOut(origin string, line int, content, reason string) error {
	return r.add(&entry{Item: Item{State: LeftOut, Origin: origin, Line: line, Reason: reason, Text: content}})
}

// filtered removes private text and secrets before a text is taken apart: a private
// section may reach over several items.
func (r *reader) filtered(s string) string {
	s, report := r.w.Filtered(s)
	r.privacy.Add(report)
	return s
}

// draft adds an item that may become a memory.
func (r *reader) draft(f *file, part string, line int, d draft) error {
	origin := f.origin
	if part != "" {
		origin += "#" + part
	}
	when := d.when
	if when.IsZero() {
		when = f.modified
	}
	return r.add(&entry{
		Item: Item{State: New, Category: d.category, Title: text.OneLine(d.title, 120), Origin: origin, Line: line},
		doc:  d.memory(when, r.w.Now()), text: d.text, name: d.name, links: d.links, when: when,
	})
}

// errTooMuch means that a source is too large to be imported at once.
var errTooMuch = errors.New("too much for one import")

func tooMuch(what string) error { return fmt.Errorf("%w: %s", errTooMuch, what) }

// draft is a memory in the making.
type draft struct {
	category schemas.Category
	title    string
	tags     []string
	files    []string // related, relative to the project
	content  schemas.Content
	when     time.Time // zero if the source does not say
	text     string    // what it is made of
	name     string
	links    []link
}

// imported is the tag of every memory that was made of something else.
const imported = "imported"

// memory returns the draft as a memory. Its dates are those of the source, so that an
// old decision does not rank as a recent one.
func (d draft) memory(when, now time.Time) *schemas.Memory {
	if when.IsZero() || when.After(now) {
		when = now
	}
	m := &schemas.Memory{
		SchemaVersion: "1.0",
		Category:      d.category,
		Title:         text.OneLine(d.title, 120),
		RecordStatus:  schemas.Active,
		CreatedAt:     schemas.FormatTime(when),
		UpdatedAt:     schemas.FormatTime(when),
		Tags:          tagsOf(d.tags),
		Content:       d.content,
		Rest:          schemas.Rest{"times_updated": json.Number("0")},
	}
	if len(d.files) > 0 {
		m.RelatedFiles = d.files
	}
	addEmpty(m)
	return m
}

// addEmpty adds the required fields that the source leaves empty: an empty text may be
// valid, a missing one is not.
func addEmpty(m *schemas.Memory) {
	form, _ := schemas.FormOf(m.Category)
	values := m.ContentValues()
	for _, f := range form.Content {
		switch {
		case !f.Required || values[f.Name] != nil:
		case f.Type == "array":
			values[f.Name] = []any{}
		default:
			values[f.Name] = ""
		}
	}
	m.SetContent(values)
}

// maxTags is how many tags a memory has.
const maxTags = 12

// tagsOf returns at most maxTags tags, each once, with the one that says that the memory
// is imported.
func tagsOf(given []string) []string {
	tags, seen := []string{imported}, map[string]bool{imported: true}
	for _, tag := range given {
		tag = strings.Trim(text.Lower(text.OneLine(tag, 60)), "#,. ")
		if tag != "" && !seen[tag] && len(tags) < maxTags {
			seen[tag] = true
			tags = append(tags, tag)
		}
	}
	return tags
}

// file is a file of a source, as text.
type file struct {
	origin   string
	path     string // below the source's folder
	text     string
	modified time.Time
}

// list returns the files of the source that match, as source.files does, and adds the
// links, which are not followed.
func (r *reader) list(match, enter func(string) bool) ([]string, error) {
	files, links, err := r.src.files(r.ctx, match, enter)
	if err != nil {
		return nil, err
	}
	for _, name := range links {
		if err := r.leaveOut(r.src.origin(name), 0, "", "a symbolic link (links are not followed)"); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// each calls read for each file of the source.
func (r *reader) each(files []string, read func(name string) error) error {
	progress, end := r.doing("reading", len(files))
	defer end()
	for i, name := range files {
		progress(i)
		if err := read(name); err != nil {
			return err
		}
	}
	return nil
}

// textOf reads a file as text, if it can be read.
func textOf(read func(*reader, *file) error) func(*reader, string) error {
	return func(r *reader, name string) error {
		f, err := r.file(name)
		if err != nil || f == nil {
			return err
		}
		return read(r, f)
	}
}

// eachLine calls read for each line that is not blank. A line that is too long is refused.
func (r *reader) eachLine(name string, read func(number int, line []byte) error) (time.Time, error) {
	return r.src.lines(r.ctx, name, func(number int, line []byte) error {
		switch {
		case line == nil:
			return r.refuse(r.src.origin(name), number, "a line of more than 1 MiB")
		case len(bytes.TrimSpace(line)) == 0:
			return nil
		}
		return read(number, line)
	})
}

// file reads a text file and filters it. If it cannot be read, file adds that and
// returns nil.
func (r *reader) file(path string) (*file, error) {
	data, modified, err := r.src.read(path)
	f := &file{origin: r.src.origin(path), path: path, modified: modified}
	switch {
	case r.ctx.Err() != nil:
		return nil, r.ctx.Err()
	case err != nil:
		return nil, r.refuse(f.origin, 0, plain(err))
	}
	phrase, err := utf8Text(data)
	if err != nil {
		return nil, r.refuse(f.origin, 0, err.Error())
	}
	f.text = r.filtered(phrase)
	return f, nil
}

// plain words an error of a file whose name stands elsewhere.
func plain(err error) string {
	if errors.Is(err, memdir.ErrTooLarge) {
		return err.Error()
	}
	return text.Printable(reasonOf(err))
}
