package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// readLines reads memctl's own export: a memory on each line, taken as it stands.
func readLines(r *reader, name string) error {
	if name == "" {
		return errors.New("expected a file, found a folder; json reads a folder")
	}
	origin := r.src.origin(name)
	_, err := r.eachLine(name, func(number int, line []byte) {
		var record bytes.Buffer
		if err := json.Indent(&record, line, "", "  "); err != nil {
			r.refuse(origin, number, text.Brief(err.Error()))
			return
		}
		record.WriteByte('\n')
		r.memory(origin, number, record.Bytes(), time.Time{})
	})
	return err
}

// memoryFile reads a memory file, taken as it stands: of another memory root, or of the
// plugin claude-memory.
func (r *reader) memoryFile(name string) {
	data, modified, err := r.src.read(name)
	if err != nil {
		r.refuse(r.src.origin(name), 0, plain(err))
		return
	}
	r.memory(r.src.origin(name), 0, data, modified)
}

func entersClaude(folder string) bool { return path.Base(folder) == ".claude" }

func isMemory(name string) bool {
	_, known := schemas.CategoryOfFolder(path.Base(path.Dir(name)))
	return strings.HasSuffix(name, ".json") && (known ||
		!slices.Contains([]string{files.ConfigName, "package.json", "tsconfig.json"}, path.Base(name)) &&
			path.Dir(name) == ".")
}

// memory adds a memory file.
func (r *reader) memory(origin string, number int, data []byte, modified time.Time) {
	doc, err := schemas.DecodeExact(data)
	if err == nil {
		if _, known := doc.Category.Info(); !known {
			err = errors.New("category: expected one of memctl's, got " + text.Brief(string(doc.Category)))
		}
	}
	if err != nil {
		r.refuse(origin, number, text.Brief(err.Error()))
		return
	}
	when, ok := schemas.ParseTime(doc.UpdatedAt)
	if !ok {
		when = modified
	}
	r.add(&Item{State: New, Category: doc.Category, Title: text.OneLine(doc.Title, 120), Origin: origin, Line: number,
		doc: doc, asItStands: true, raw: string(data), when: when})
}
