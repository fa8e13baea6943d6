package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"memctl/gate"
	"memctl/memdir"
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
		if phrase, err := readPage(place, filepath.Join(path, name)); err != nil || !strings.HasPrefix(phrase, pageMark) {
			continue
		}
		if err := dir.Remove(name); err != nil {
			return err
		}
	}
	return err
}

// markdownPage renders a memory as Markdown.
func markdownPage(m memory) string {
	front := yaml.MapSlice{{Key: "id", Value: m.ID}, {Key: "title", Value: m.Title},
		{Key: "category", Value: string(m.category())},
		{Key: "created", Value: m.CreatedAt}, {Key: "updated", Value: m.UpdatedAt}, {Key: "tags", Value: m.Tags}}
	var files, linked []string
	for _, file := range m.RelatedFiles {
		if to := linkedMemory(file); to != "" {
			linked = append(linked, to)
		} else {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		front = append(front, yaml.MapItem{Key: "files", Value: files})
	}
	if m.Confidence != nil {
		front = append(front, yaml.MapItem{Key: "confidence", Value: *m.Confidence})
	}
	encoded, _ := yaml.Marshal(front) // of strings, lists and a number: cannot fail
	var b strings.Builder
	b.WriteString(pageMark + string(encoded) + "---\n\n# " + text.OneLine(m.Title, 200) + "\n")
	for _, f := range m.Fields() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", f.Heading, f.Text)
	}
	if len(linked) > 0 {
		b.WriteString("\n## Related\n\n")
		for _, to := range linked {
			b.WriteString("- [[" + to + "]]\n")
		}
	}
	return text.Paragraph(b.String())
}

// linkedMemory returns FOLDER/ID if a related file is a memory, else "".
func linkedMemory(file string) string {
	_, below, _ := strings.Cut(file, memdir.RootPath+"/")
	if _, isMemory := schemas.CategoryOfPath(below); !isMemory {
		return ""
	}
	return strings.TrimSuffix(below, ".json")
}

// markdownOf renders a value of the content: text as it is, lists as items.
func markdownOf(value any) []string {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		return []string{value}
	case bool:
		return []string{pick(value, "yes", "no")}
	case json.Number:
		return []string{value.String()}
	case []any:
		var lines []string
		for _, item := range value {
			lines = append(lines, "- "+strings.ReplaceAll(strings.Join(inline(item), "; "), "\n", "\n  "))
		}
		return lines
	case map[string]any:
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(value)) {
			for _, phrase := range inline(value[name]) {
				lines = append(lines, "- "+strings.ReplaceAll(name, "_", " ")+": "+strings.ReplaceAll(phrase, "\n", "\n  "))
			}
		}
		return lines
	}
	return []string{fmt.Sprint(value)}
}

// inline renders an item of a list.
func inline(item any) []string {
	switch item := item.(type) {
	case map[string]any:
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(item)) {
			lines = append(lines, strings.ReplaceAll(name, "_", " ")+": "+strings.Join(inline(item[name]), ", "))
		}
		return lines
	case []any:
		var lines []string
		for _, part := range item {
			lines = append(lines, inline(part)...)
		}
		return lines
	}
	return markdownOf(item)
}

// heading2 words the name of a field or a category as a heading.
func heading2(name string) string {
	return capital(strings.ReplaceAll(text.OneLine(name, 80), "_", " "))
}

// linkText is a title within a wiki link.
func linkText(title string) string {
	return strings.NewReplacer("[", "(", "]", ")", "|", "/").Replace(text.OneLine(title, 200))
}
