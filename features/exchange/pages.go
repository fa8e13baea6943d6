package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"

	"github.com/goccy/go-yaml"
)

// pageMark begins every file of a Markdown export. Only files that begin with it are
// replaced or removed by the next.
const pageMark = "---\nwritten_by: memctl export markdown\n"

const indexPage = "index.md"

// Pages writes each active memory as a Markdown file below a folder, with front matter,
// and an index by category. Pages of memories that are gone are removed. The same
// memories give the same bytes. It returns the number of pages.
func (x *Exporter) Pages(ctx context.Context, path string) (int, error) {
	place, err := x.place(path)
	if err != nil {
		return 0, err
	}
	var index strings.Builder
	index.WriteString(pageMark + "---\n\n# Memories\n")
	n := 0
	kept := map[schemas.Category]map[string]bool{}
	err = x.active(ctx, func(m memory) error {
		category, name := m.category(), filepath.Base(m.Page())+".md"
		info, _ := category.Info()
		if kept[category] == nil {
			kept[category] = map[string]bool{}
			fmt.Fprintf(&index, "\n## %s\n\n", heading2(string(category)))
		}
		kept[category][name] = true
		fmt.Fprintf(&index, "- [[%s|%s]]\n", m.Page(), linkText(m.Title))
		n++
		return putPage(place, filepath.Join(path, info.Folder, name), markdownPage(m))
	})
	for _, info := range schemas.Categories {
		if wanted := len(x.Categories) == 0 || slices.Contains(x.Categories, info.Category); err == nil && wanted {
			err = removePages(place, filepath.Join(path, info.Folder), kept[info.Category])
		}
	}
	if err != nil {
		return n, err
	}
	return n, putPage(place, filepath.Join(path, indexPage), index.String())
}

// putPage writes a page, unless a file of that name is no page or says the same.
func putPage(place gate.Place, path, content string) error {
	old, err := readPage(place, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old == content:
		return nil
	case !strings.HasPrefix(old, pageMark):
		return fmt.Errorf("%s was not written by memctl: move it away, or name another folder", path)
	}
	return put(place, path, []byte(content))
}

func readPage(place gate.Place, path string) (string, error) {
	data, err := place.Read(path, 4*schemas.MaxFileBytes)
	return string(data), err
}

// removePages removes the pages of a folder that are not kept.
func removePages(place gate.Place, path string, kept map[string]bool) error {
	dir, err := place.Enter(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	for _, entry := range entries {
		name := entry.Name()
		if kept[name] || !strings.HasSuffix(name, ".md") || !entry.Type().IsRegular() {
			continue
		}
		if phrase, err := readPage(place, filepath.Join(path, name)); err != nil ||
			!strings.HasPrefix(phrase, pageMark) {
			continue
		}
		if err := dir.Remove(name); err != nil {
			return err
		}
	}
	return err
}

// pageFront is the front matter of a page.
type pageFront struct {
	WrittenBy  string   `yaml:"written_by,omitempty"`
	ID         string   `yaml:"id"`
	Title      string   `yaml:"title"`
	Category   string   `yaml:"category"`
	Created    string   `yaml:"created"`
	Updated    string   `yaml:"updated"`
	Tags       []string `yaml:"tags"`
	Files      []string `yaml:"files,omitempty"`
	Confidence *float64 `yaml:"confidence,omitempty"`
	// Exact has, as JSON, the fields of the content that the text below cannot say exactly.
	Exact string `yaml:"exact,omitempty"`
}

// markdownPage renders a memory as Markdown that readPageOf reads as the same memory.
func markdownPage(m memory) string {
	front := pageFront{ID: m.ID, Title: m.Title, Category: string(m.category()), Created: m.CreatedAt,
		Updated: m.UpdatedAt, Tags: m.Tags, Confidence: m.Confidence}
	var body strings.Builder
	body.WriteString("\n# " + text.OneLine(m.Title, 200) + "\n")
	exact := map[string]any{}
	for _, f := range m.Fields() {
		section := text.Paragraph(fmt.Sprintf("\n## %s\n\n%s\n", f.Heading, f.Text))
		body.WriteString(section)
		if !reflect.DeepEqual(contentOf(m.category(), section)[f.name], f.value) {
			exact[f.name] = f.value
		}
	}
	if len(exact) > 0 {
		encoded, _ := schemas.EncodeJSON(exact) // of strings, lists and maps
		front.Exact = string(text.EscapeJSON(encoded))
	}
	linked := false
	for _, file := range m.RelatedFiles {
		to := linkedMemory(file)
		if to == "" {
			front.Files = append(front.Files, file)
			continue
		}
		if !linked {
			body.WriteString("\n## Related\n\n")
		}
		linked = true
		body.WriteString("- [[" + to + "]]\n")
	}
	encoded, _ := yaml.Marshal(front) // of strings, lists and a number: cannot fail
	return text.Paragraph(pageMark + string(encoded) + "---\n" + body.String())
}

// page reads a page of a Markdown export as the memory that it was made of.
func (r *reader) page(f *file) {
	meta, body, _ := cutFront(f.text)
	category := schemas.Category(meta.take("category"))
	if _, known := category.Info(); !known {
		r.leaveOut(f.origin, 1, "", "the index of what memctl export markdown wrote")
		return
	}
	var front pageFront
	if yaml.Unmarshal([]byte(frontOf(f.text)), &front) != nil {
		r.refuse(f.origin, 1, "front matter that memctl export markdown did not write")
		return
	}
	values := contentOf(category, body)
	exact := map[string]any{}
	decoder := json.NewDecoder(strings.NewReader(front.Exact))
	decoder.UseNumber()
	if err := decoder.Decode(&exact); err != nil && front.Exact != "" {
		r.refuse(f.origin, 1, "exact: expected JSON: "+text.Brief(err.Error()))
		return
	}
	maps.Copy(values, exact)
	files := front.Files
	_, related, _ := strings.Cut(body, "\n## Related\n")
	for _, m := range wikiLink().FindAllStringSubmatch(related, -1) {
		files = append(files, r.w.Root.Shown+"/"+m[1]+".json")
	}
	doc := &schemas.Memory{SchemaVersion: "1.0", Category: category, ID: front.ID, Title: front.Title,
		RecordStatus: schemas.Active, CreatedAt: front.Created, UpdatedAt: front.Updated, Tags: front.Tags,
		RelatedFiles: files, Confidence: front.Confidence, Rest: schemas.Rest{"times_updated": json.Number("0")}}
	doc.SetContent(values)
	data, err := doc.Encode()
	if err != nil {
		r.refuse(f.origin, 0, text.Brief(err.Error()))
		return
	}
	when, _ := schemas.ParseTime(front.Updated)
	r.add(&Item{State: New, Category: category, Title: text.OneLine(doc.Title, titleLength), Origin: f.origin,
		doc: doc, asItStands: true, isPage: true, raw: string(data), when: when})
}

// contentOf reads the sections of a page as the fields of a category's content.
func contentOf(category schemas.Category, body string) map[string]any {
	form := schemas.FormOf(category)
	values := map[string]any{}
	for _, section := range strings.Split("\n"+body, "\n## ")[1:] {
		title, rest, _ := strings.Cut(section, "\n")
		for _, field := range form.Content {
			if heading2(field.Name) == title {
				values[field.Name] = valueOf(field, strings.Trim(rest, "\n"))
			}
		}
	}
	return values
}

// valueOf reads what markdownOf rendered.
func valueOf(field schemas.Field, phrase string) any {
	switch field.Type {
	case "boolean":
		return phrase == "yes"
	case "number":
		return json.Number(phrase)
	case "array":
		list := []any{}
		for _, item := range itemsOf(phrase) {
			if len(field.Fields) > 0 {
				list = append(list, membersOf(field, item))
			} else {
				list = append(list, item)
			}
		}
		return list
	case "object":
		return membersOf(field, strings.Join(itemsOf(phrase), "\n"))
	}
	return unescapedHeading().ReplaceAllString(phrase, "$1")
}

// itemsOf returns the items of a list, without their indentation.
func itemsOf(phrase string) (list []string) {
	for line := range strings.SplitSeq(phrase, "\n") {
		if item, first := strings.CutPrefix(line, "- "); first || line == "-" {
			list = append(list, item)
		} else if len(list) > 0 {
			list[len(list)-1] += "\n" + strings.TrimPrefix(line, "  ")
		}
	}
	return list
}

// membersOf reads the fields of an object, a line each; those that go on are indented.
func membersOf(field schemas.Field, phrase string) map[string]any {
	values, last := map[string]any{}, ""
	for line := range strings.SplitSeq(phrase, "\n") {
		label, rest, _ := strings.Cut(line, ":")
		at := slices.IndexFunc(field.Fields, func(f schemas.Field) bool { return spaced(f.Name) == label })
		switch {
		case at >= 0:
			last = field.Fields[at].Name
			values[last] = strings.TrimPrefix(rest, " ")
		case last != "":
			values[last] = values[last].(string) + "\n" + strings.TrimPrefix(line, "  ")
		}
	}
	return values
}

// linkedMemory returns FOLDER/ID if a related file is a memory, else "".
func linkedMemory(file string) string {
	_, below, _ := strings.Cut(file, files.RootPath+"/")
	if _, isMemory := schemas.CategoryOfPath(below); !isMemory {
		return ""
	}
	return strings.TrimSuffix(below, ".json")
}

var (
	pageHeading      = text.Pattern(`(?m)^(\\*## )`)
	unescapedHeading = text.Pattern(`(?m)^\\(\\*## )`)
)

// markdownOf renders a value of the content: text as it is, lists and objects as items.
func markdownOf(value any) []string {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		return []string{pageHeading().ReplaceAllString(value, `\$1`)}
	case bool:
		return []string{pick(value, "yes", "no")}
	case []any:
		lines := []string{}
		for _, item := range value {
			lines = append(lines, "- "+strings.ReplaceAll(inline(item), "\n", "\n  "))
		}
		return lines
	case map[string]any:
		lines := []string{}
		for line := range strings.SplitSeq(inline(value), "\n") {
			lines = append(lines, pick(strings.HasPrefix(line, " "), "  ", "- ")+line)
		}
		return lines
	}
	return []string{fmt.Sprint(value)}
}

// inline renders an item of a list: of an object, each field on a line.
func inline(item any) string {
	object, ok := item.(map[string]any)
	if !ok {
		return fmt.Sprint(item)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		lines = append(lines, spaced(name)+": "+strings.ReplaceAll(inline(object[name]), "\n", "\n  "))
	}
	return strings.Join(lines, "\n")
}

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// heading2 words the name of a field or a category as a heading.
func heading2(name string) string {
	return capital(spaced(text.OneLine(name, 80)))
}

// linkText is a title within a wiki link.
func linkText(title string) string {
	return strings.NewReplacer("[", "(", "]", ")", "|", "/").Replace(text.OneLine(title, 200))
}
