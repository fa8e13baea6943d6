package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// readLines reads memctl's own export: a memory on each line, taken as it stands.
func readLines(r *reader, name string) error {
	if name == "" {
		return errors.New("expected a file, found a folder; json reads a folder")
	}
	origin := r.src.origin(name)
	_, err := r.eachLine(name, func(number int, line []byte) error {
		var whole bytes.Buffer
		if err := json.Indent(&whole, line, "", "  "); err != nil {
			return r.refuse(origin, number, text.Brief(err.Error()))
		}
		whole.WriteByte('\n')
		return r.memory(origin, number, whole.Bytes(), time.Time{})
	})
	return err
}

// memoryFile reads a memory file, taken as it stands: of another memory root, or of the
// plugin claude-memory.
func (r *reader) memoryFile(name string) error {
	data, modified, err := r.src.read(name)
	if err != nil {
		return r.refuse(r.src.origin(name), 0, plain(err))
	}
	return r.memory(r.src.origin(name), 0, data, modified)
}

func entersClaude(folder string) bool { return path.Base(folder) == ".claude" }

func isMemory(name string) bool {
	_, known := schemas.CategoryOfFolder(path.Base(path.Dir(name)))
	return strings.HasSuffix(name, ".json") && (known ||
		!slices.Contains([]string{memdir.ConfigName, "package.json", "tsconfig.json"}, path.Base(name)) &&
			path.Dir(name) == ".")
}

// memory adds a memory file.
func (r *reader) memory(origin string, number int, data []byte, modified time.Time) error {
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		return r.refuse(origin, number, text.Brief(err.Error()))
	}
	if _, known := doc.Category.Info(); !known {
		return r.refuse(origin, number, "category: expected one of memctl's, got "+text.Brief(string(doc.Category)))
	}
	when, ok := schemas.ParseTime(doc.UpdatedAt)
	if !ok {
		when = modified
	}
	return r.add(&entry{
		Item: Item{State: New, Category: doc.Category, Title: text.OneLine(doc.Title, 120), Origin: origin, Line: number},
		doc:  doc, asItStands: true, text: string(data), when: when,
	})
}
