package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Unread is a memory file that cannot be exported.
type Unread struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Exporter takes memories out of a root.
type Exporter struct {
	Root files.Root
	// Filter removes private text and secrets from what may be published.
	Filter *privacy.Filter
	// Categories are those that are exported, all if there are none.
	Categories []schemas.Category
	// Unread collects the files that are not exported because they cannot be read.
	Unread []Unread
	// Undated is why the times of changes are those of the files although git.history is set.
	Undated error
}

// memory is a memory file to export.
type memory struct {
	schemas.Memory
	doc  *schemas.Memory
	data []byte // of the file
	path string // below the root
}

// category is that of the memory's folder.
func (m memory) category() schemas.Category {
	category, _ := schemas.CategoryOfPath(m.path)
	return category
}

// Page names the memory in an export: FOLDER/ID, with codes for the invisible characters of a
// file name that memctl would not give.
func (m memory) Page() string {
	folder, _, _ := strings.Cut(m.path, "/")
	var id strings.Builder
	for _, r := range m.ID {
		if text.Invisible(r) {
			fmt.Fprintf(&id, "U+%04X", r)
		} else {
			id.WriteRune(r)
		}
	}
	return folder + "/" + id.String()
}

// Day is the day of the last change.
func (m memory) Day() string { return m.UpdatedAt[:min(10, len(m.UpdatedAt))] }

// contentField is a field of a memory's content that says something, as Markdown.
type contentField struct {
	Heading string
	Text    string
	Items   []string // of a list

	name  string
	value any
}

// Fields returns the fields of the content in their order.
func (m memory) Fields() (list []contentField) {
	for name, value := range m.ContentFields() {
		lines := markdownOf(value)
		if lines == nil {
			continue
		}
		f := contentField{Heading: heading2(name), Text: strings.Join(lines, "\n"), name: name, value: value}
		items, _ := value.([]any)
		for _, item := range items {
			f.Items = append(f.Items, strings.ReplaceAll(inline(item), "\n", "; "))
		}
		list = append(list, f)
	}
	return list
}

// each calls use for each memory, by category and name. Files that cannot be read are
// collected.
func (x *Exporter) each(ctx context.Context, use func(memory) error) error {
	x.Unread = nil
	var history schemas.History
	history, x.Undated = git.HistoryAt(ctx, x.Root, "HEAD")
	return eachFile(ctx, x.Root, x.Categories, func(path string, data []byte, err error) error {
		m := memory{path: path, data: data}
		if err == nil {
			m.doc, err = schemas.DecodeExact(data)
		}
		if err == nil && history.Date(m.doc, path, data, x.Root.Written(path)) {
			m.data, err = m.doc.Encode()
		}
		if err == nil {
			m.Memory, err = schemas.Decode(m.data)
		}
		if err != nil {
			x.Unread = append(x.Unread, Unread{path, text.Brief(err.Error())})
			return nil
		}
		category, _ := schemas.CategoryOfPath(path)
		m.Complete(category, strings.TrimSuffix(filepath.Base(path), ".json"))
		return use(m)
	})
}

// active calls use for each active memory, without private text and secrets.
func (x *Exporter) active(ctx context.Context, use func(memory) error) error {
	return x.each(ctx, func(m memory) error {
		if m.RecordStatus != schemas.Active {
			return nil
		}
		m.doc.Redact(x.Filter)
		data, err := m.doc.Encode()
		if err != nil {
			return err
		}
		id, category := m.ID, m.Category
		if m.Memory, err = schemas.Decode(data); err != nil {
			return err
		}
		m.Complete(category, id)
		return use(m)
	})
}

// Lines writes every memory of every status as it stands, one on each line, for readLines.
// It returns their number.
func (x *Exporter) Lines(ctx context.Context, out io.Writer) (int, error) {
	n := 0
	err := x.each(ctx, func(m memory) error {
		data := m.data
		if m.doc.ID != m.ID || m.doc.Category != m.Category {
			m.doc.ID = m.ID
			m.doc.SetCategory(m.Category)
			var err error
			if data, err = m.doc.Encode(); err != nil {
				return fmt.Errorf("%s: %w", m.path, err)
			}
		}
		var line bytes.Buffer
		if err := json.Compact(&line, data); err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		line.WriteByte('\n')
		n++
		_, err := out.Write(line.Bytes())
		return err
	})
	return n, err
}

// WriteFile writes a file of an export, whole or not at all. It refuses a place in the
// memory root.
func (x *Exporter) WriteFile(path string, data []byte) error {
	place, err := x.place(path)
	if err != nil {
		return err
	}
	return put(place, path, data)
}

// put writes a file.
func put(place gate.Place, path string, data []byte) error {
	if err := files.Put(place, path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// place says who wrote what is at a path, which must not lead to the memory root.
func (x *Exporter) place(path string) (gate.Place, error) {
	place, err := files.PlaceOf(path)
	if err != nil {
		return place, err
	}
	target, err := place.Leads(path)
	if err != nil {
		return place, err
	}
	if _, err := gate.Stat(path); err != nil && isLink(path) {
		return place, fmt.Errorf("%s is a link to a file that is not there", path)
	}
	if root, _ := gate.Follow(x.Root.Path); gate.Contains(root, target) {
		return place, fmt.Errorf("%s is in the memory root; name another place", path)
	}
	return place, nil
}

func isLink(path string) bool {
	info, err := gate.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
