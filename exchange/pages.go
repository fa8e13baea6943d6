package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	target, err := x.place(path)
	if err != nil {
		return 0, err
	}
	index := strings.Builder{}
	index.WriteString(pageMark + "---\n\n# Memories\n")
	n := 0
	for _, info := range schemas.Categories {
		if len(x.Categories) > 0 && !slices.Contains(x.Categories, info.Category) {
			continue
		}
		written, err := x.categoryPages(ctx, target, info, &index)
		n += written
		if err != nil {
			return n, err
		}
	}
	return n, inFolder(target, func(folder *memdir.Folder) error { return putPage(folder, target, indexPage, index.String()) })
}

func (x *Exporter) categoryPages(ctx context.Context, target string, info schemas.CategoryInfo, index *strings.Builder) (n int, err error) {
	only, unread := Exporter{Root: x.Root, Filter: x.Filter, Categories: []schemas.Category{info.Category}}, x.Unread
	path := filepath.Join(target, info.Folder)
	kept := map[string]bool{}
	err = inFolder(path, func(folder *memdir.Folder) error {
		return only.active(ctx, func(m memory) error {
			if n++; n == 1 {
				fmt.Fprintf(index, "\n## %s\n\n", heading2(string(info.Category)))
			}
			name := m.ID + ".md"
			kept[name] = true
			fmt.Fprintf(index, "- [[%s/%s|%s]]\n", info.Folder, m.ID, linkText(m.Title))
			return putPage(folder, path, name, page(m, info))
		})
	})
	x.Unread = append(unread, only.Unread...)
	if err != nil {
		return n, err
	}
	return n, removePages(path, kept)
}

// inFolder makes a folder and opens it for writing.
func inFolder(path string, use func(*memdir.Folder) error) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	folder, err := memdir.FolderAt(path)
	if err != nil {
		return err
	}
	return errors.Join(use(folder), folder.Close())
}

// putPage writes a page, unless a file of that name is no page or says the same.
func putPage(folder *memdir.Folder, path, name, said string) error {
	old, err := readPage(filepath.Join(path, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old == said:
		return nil
	case !strings.HasPrefix(old, pageMark):
		return fmt.Errorf("%s was not written by memctl: move it away, or name another folder", filepath.Join(path, name))
	}
	return put(folder, name, []byte(said))
}

func readPage(path string) (string, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: %w", path, memdir.ErrNotFile)
	}
	file, _, err := memdir.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := memdir.ReadLimited(file, 4*schemas.MaxFileBytes)
	return string(data), err
}

// removePages removes the pages of a folder that are not kept.
func removePages(path string, kept map[string]bool) error {
	entries, err := os.ReadDir(path)
	for _, entry := range entries {
		name := entry.Name()
		if kept[name] || !strings.HasSuffix(name, ".md") || !entry.Type().IsRegular() {
			continue
		}
		if said, err := readPage(filepath.Join(path, name)); err != nil || !strings.HasPrefix(said, pageMark) {
			continue
		}
		if err := os.Remove(filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return err
}

// page renders a memory as Markdown.
func page(m memory, info schemas.CategoryInfo) string {
	front := yaml.MapSlice{{Key: "id", Value: m.ID}, {Key: "title", Value: m.Title}, {Key: "category", Value: string(info.Category)},
		{Key: "created", Value: m.CreatedAt}, {Key: "updated", Value: m.UpdatedAt}, {Key: "tags", Value: m.Tags}}
	var files, linked []string
	for _, file := range m.RelatedFiles {
		if to, ok := linkedMemory(file); ok {
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
	for name, raw := range schemas.Members(m.Content) {
		value, err := schemas.DecodeAny(raw)
		if lines := markdownOf(value); err == nil && len(lines) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", heading2(name), strings.Join(lines, "\n"))
		}
	}
	if len(linked) > 0 {
		b.WriteString("\n## Related\n\n")
		for _, to := range linked {
			b.WriteString("- [[" + to + "]]\n")
		}
	}
	return text.Paragraph(b.String())
}

// linkedMemory returns FOLDER/ID if a related file is a memory.
func linkedMemory(file string) (string, bool) {
	_, below, found := strings.Cut(file, memdir.RootPath+"/")
	if _, isMemory := schemas.CategoryOfPath(below); !found || !isMemory {
		return "", false
	}
	return strings.TrimSuffix(below, ".json"), true
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
		for _, name := range sortedKeys(value) {
			for _, said := range inline(value[name]) {
				lines = append(lines, "- "+strings.ReplaceAll(name, "_", " ")+": "+strings.ReplaceAll(said, "\n", "\n  "))
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
		var said []string
		for _, name := range sortedKeys(item) {
			said = append(said, strings.ReplaceAll(name, "_", " ")+": "+strings.Join(inline(item[name]), ", "))
		}
		return said
	case []any:
		var said []string
		for _, part := range item {
			said = append(said, inline(part)...)
		}
		return said
	}
	return markdownOf(item)
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// heading2 words the name of a field or a category as a heading.
func heading2(name string) string {
	return capital(strings.ReplaceAll(text.OneLine(name, 80), "_", " "))
}

// linkText is a title within a wiki link.
func linkText(title string) string {
	return strings.NewReplacer("[", "(", "]", ")", "|", "/").Replace(text.OneLine(title, 200))
}
