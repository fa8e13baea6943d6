package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// Bounds of what one run reads. A source beyond them is imported in parts.
const (
	maxItems = 100_000
	maxText  = 64 << 20 // of all items, in bytes
)

// reader adds the items of a source to an import.
type reader struct {
	*Import
	ctx   context.Context
	src   *source
	files []string          // that match, sorted
	spans map[string]span   // by the names of files that git knows; nil until it is asked
	now   map[string]string // the present names of former ones, with spans
	// dayFirst counts the dates with slashes that say whether the day is first; nil until one has to be read.
	dayFirst map[bool]int
	// records are what was imported; nil until it is asked.
	records map[string]files.ImportRecord
	size    int
	err     error // that ends the reading: nothing is added after it
	failed  error // why the disk did not give a file
}

// link is a relation of one item to another.
type link struct {
	kind string // in words, such as "superseded by"
	to   string // a name, or a path
	// maybe is set if it is left out unless it leads to something.
	maybe bool
}

// readAll reads the items of the source.
func (r *reader) readAll(format Format) error {
	var err error
	if format.match == nil {
		err = format.read(r, cmp.Or(r.src.name, format.alone))
	} else if err = r.list(format.match, format.enter); err == nil {
		r.each(func(name string) { format.file(r, name) })
	}
	return cmp.Or(r.err, err)
}

// stopped reports whether nothing more is to be read.
func (r *reader) stopped() bool {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err != nil
}

// add adds an item.
func (r *reader) add(i *Item) {
	r.size += len(i.raw) + len(i.Text) + len(i.Reason)
	switch {
	case r.stopped():
	case len(r.Items) >= maxItems:
		r.err = tooMuch(fmt.Sprintf("more than %d items", maxItems))
	case r.size > maxText:
		r.err = tooMuch(fmt.Sprintf("more than %d MiB of text", maxText>>20))
	default:
		r.Items = append(r.Items, i)
	}
}

// refuse adds what cannot be read.
func (r *reader) refuse(origin string, line int, reason string) {
	r.add(&Item{State: Refused, Origin: origin, Line: line, Reason: reason})
}

// leaveOut adds what is not a memory.
func (r *reader) leaveOut(origin string, line int, content, reason string) {
	r.add(&Item{State: LeftOut, Origin: origin, Line: line, Reason: reason, Text: content})
}

// filtered removes private text and secrets before a text is taken apart: a private
// section may reach over several items.
func (r *reader) filtered(s string) string {
	s, report := r.w.Filter().Lines(s)
	r.Privacy.Add(report)
	return s
}

// draft adds an item that may become a memory.
func (r *reader) draft(f *file, part string, line int, d draft) {
	if d.when.IsZero() && !f.dated {
		f.dated = true
		if s, found := r.committed(f.path); found {
			f.created, f.modified = s.first, s.last
		}
	}
	if d.when.IsZero() {
		d.created, d.when = f.created, f.modified
	}
	r.add(&Item{State: New, Category: d.category, Title: text.OneLine(d.title, titleLength), Origin: f.part(part),
		Line: line,
		doc:  d.memory(r.w.Now()), raw: d.raw, name: d.name, links: d.links, when: d.when})
}

// errTooMuch means that a source is too large to be imported at once.
var errTooMuch = errors.New("too much for one import")

func tooMuch(what string) error { return fmt.Errorf("%w: %s", errTooMuch, what) }

// draft is a memory in the making.
type draft struct {
	category schemas.Category
	title    string
	tags     []string
	files    []string  // related, relative to the project
	when     time.Time // of the last change, zero if the source does not say
	created  time.Time // zero for the same
	raw      string    // what it is made of
	name     string
	links    []link
	content  schemas.Content // nil to make it of the following
	topic    string          // what the text is about
	lead     string          // what has to stand before the text to understand it, "" for nothing
	text     string
	why      string   // "" if the source gives no reason
	steps    []string // of a runbook; nil for the lines of the text
}

// imported is the tag of every memory that was made of something else.
const imported = "imported"

// memory returns the draft as a memory. Its dates are those of the source, so that an
// old decision does not rank as a recent one.
func (d draft) memory(now time.Time) *schemas.Memory {
	if d.when.IsZero() || d.when.After(now) {
		d.when = now
	}
	if d.created.IsZero() || d.created.After(d.when) {
		d.created = d.when
	}
	if d.content == nil {
		d.content = d.body()
	}
	m := &schemas.Memory{
		SchemaVersion: "1.0",
		Category:      d.category,
		Title:         text.OneLine(d.title, titleLength),
		RecordStatus:  schemas.Active,
		CreatedAt:     schemas.FormatTime(d.created),
		UpdatedAt:     schemas.FormatTime(d.when),
		Tags:          tagsOf(d.tags),
		RelatedFiles:  d.files,
		Content:       d.content,
		Rest:          schemas.Rest{"times_updated": json.Number("0")},
	}
	addEmpty(m)
	return m
}

// addEmpty adds the required fields that the source leaves empty: an empty text may be
// valid, a missing one is not.
func addEmpty(m *schemas.Memory) {
	form := schemas.FormOf(m.Category)
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
func tagsOf(names []string) []string {
	tags, seen := []string{imported}, map[string]bool{imported: true}
	for _, tag := range names {
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
	created  time.Time // zero if it is the same as modified
	modified time.Time
	dated    bool // by its own words, or by git
}

// part names a part of the file, the whole for "". A "#" in the file's own name is "%23".
func (f *file) part(name string) string {
	origin := strings.ReplaceAll(f.origin, "#", "%23")
	if name == "" {
		return origin
	}
	return origin + "#" + name
}

// list finds the files of the source that match, as source.files does, and adds the
// links, which are not followed.
func (r *reader) list(match, enter func(string) bool) error {
	files, links, err := r.src.files(r.ctx, match, enter)
	for _, name := range links {
		r.leaveOut(r.src.origin(name), 0, "", "a symbolic link (links are not followed)")
	}
	r.files = files
	return err
}

// each calls read for each file of the source.
func (r *reader) each(read func(name string)) {
	progress, end := r.options.doing("reading", len(r.files))
	defer end()
	for i, name := range r.files {
		if progress(i); r.stopped() {
			return
		}
		read(name)
	}
}

// eachLine calls read for each line that is not blank. A line that is too long is refused.
func (r *reader) eachLine(name string, read func(number int, line []byte)) (time.Time, error) {
	return r.src.lines(r.ctx, name, func(number int, line []byte) error {
		if line == nil {
			r.refuse(r.src.origin(name), number, "a line of more than 1 MiB")
		} else if len(bytes.TrimSpace(line)) > 0 {
			read(number, line)
		}
		return r.err
	})
}

// before returns the category of the memory that was imported from a text or a place, "" for none.
func (r *reader) before(textOrPlace string) schemas.Category {
	category, _ := schemas.CategoryOfPath(r.imported()[textOrPlace].Memory)
	return category
}

// imported returns what was imported, by its text, by its place, and by its file with the text.
func (r *reader) imported() map[string]files.ImportRecord {
	if r.records == nil {
		r.records = map[string]files.ImportRecord{}
		list, _ := r.w.Root.Sources() // if they cannot be read, the comparison says so
		for _, s := range list {
			s.Origin = r.src.unlisted(s.Origin)
			origin := s.Origin.String()
			r.records[s.Hash], r.records[origin], r.records[fileOf(origin)+" "+s.Hash] = s, s, s
		}
	}
	return r.records
}

// stays adds the memory that was made of a text if that still stands in its file. It returns false if there is none.
func (r *reader) stays(f *file, phrase string) bool {
	s := r.imported()[f.part("")+" "+hashOf(phrase)]
	data, err := r.w.Root.ReadFile(s.Memory)
	if err != nil || s.Format != r.Format {
		return false
	}
	doc, err := schemas.DecodeExact(data)
	if err == nil {
		delete(r.records, f.part("")+" "+hashOf(phrase)) // once
		r.add(&Item{State: New, Category: doc.Category, Title: doc.Title, Origin: s.Origin.String(), doc: doc,
			raw: phrase})
	}
	return err == nil
}

// textOf makes a reader of text files one of files. It filters the text, and adds a file
// that cannot be read as refused.
func textOf(read func(*reader, *file)) func(*reader, string) {
	return func(r *reader, name string) {
		f := &file{origin: r.src.origin(name), path: name}
		data, modified, err := r.src.read(name)
		if err == nil {
			f.modified = modified
			f.text, err = utf8Text(data)
		}
		if err != nil {
			if errors.Is(err, syscall.EIO) {
				r.failed = err
			}
			r.refuse(f.origin, 0, plain(err))
			return
		}
		f.text = r.filtered(f.text)
		read(r, f)
	}
}

// plain words an error of a file whose name stands elsewhere.
func plain(err error) string {
	if errors.Is(err, files.ErrTooLarge) {
		return err.Error()
	}
	return text.Printable(reasonOf(err))
}
