package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/schemas"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// maxFront is the largest front matter that is read, in bytes.
const maxFront = 16 << 10

// maxFrontLevels bounds the depth to which lists and maps may nest in it: the parser's memory grows with the square.
const maxFrontLevels = 50

// front is the front matter of a Markdown file.
type front map[string]any

// cutFront separates the front matter from a text. The second result is the rest and the
// third the line on which it begins.
func cutFront(document string) (meta front, rest string, first int) {
	lines := strings.SplitAfter(document, "\n")
	if strings.TrimSpace(lines[0]) != "---" {
		return nil, document, 1
	}
	for i, line := range lines[1:] {
		if bare := strings.TrimSpace(line); bare == "---" || bare == "..." {
			body := strings.Join(lines[1:i+1], "")
			return decodeFront(body), strings.Join(lines[i+2:], ""), i + 3
		}
	}
	return nil, document, 1
}

// frontOf returns the front matter of a text as it stands.
func frontOf(document string) string {
	_, rest, _ := cutFront(document)
	return strings.TrimPrefix(strings.TrimSuffix(document, rest), "---")
}

// decodeFront reads front matter. Some tools write what is no YAML, such as "globs: *.ts",
// and aliases or brackets could make gigabytes of a few lines: that is read as a line for each key.
func decodeFront(body string) front {
	if len(body) <= maxFront {
		meta := front{}
		if !grows(lexer.Tokenize(body)) && yaml.Unmarshal([]byte(body), &meta) == nil {
			return meta
		}
	}
	meta := front{}
	for number, line := range strings.Split(body, "\n") {
		key, value, found := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); !found || key == "" {
			key, value = fmt.Sprintf("line %d", number+2), line
		}
		if value = strings.TrimSpace(value); value != "" {
			meta[key] = strings.Trim(value, `"'`)
		}
	}
	return meta
}

// grows reports whether parsing takes much more memory than the text has bytes: for aliases, and
// for deep nesting by brackets or by dashes on one line.
func grows(tokens token.Tokens) bool {
	open, dashes, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			dashes, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.AliasType, token.AnchorType:
			return true
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open = max(open-1, 0)
		case token.SequenceEntryType:
			dashes++
		}
		if open+dashes > maxFrontLevels {
			return true
		}
	}
	return false
}

// take returns a field by the first of its names that there is, and removes it.
func (m front) take(names ...string) string {
	value := m.takeList(names...)
	return strings.Join(value, ", ")
}

// takeList is take for a list. A string is a list with commas.
func (m front) takeList(names ...string) []string {
	for _, name := range names {
		for _, key := range m.keys() {
			if strings.EqualFold(key, name) {
				value := m[key]
				delete(m, key)
				return stringsOf(value)
			}
		}
	}
	return nil
}

// keys returns the names of the fields in one order.
func (m front) keys() []string { return slices.Sorted(maps.Keys(m)) }

func stringsOf(value any) []string {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		var out []string
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
		return out
	case []any:
		var out []string
		for _, item := range value {
			out = append(out, stringsOf(item)...)
		}
		return out
	case map[string]any:
		return front(value).lines()
	case time.Time:
		return []string{schemas.FormatTime(value)}
	}
	return []string{fmt.Sprint(value)}
}

// takeTime returns the date of the first of its names that there is, and removes it.
func (m front) takeTime(names ...string) time.Time { return dateIn(m.take(names...)) }

// lines returns the fields that are left, a line each, by name.
func (m front) lines() []string {
	var parts []string
	for _, key := range m.keys() {
		if list := stringsOf(m[key]); len(list) > 0 {
			parts = append(parts, key+": "+strings.Join(list, ", "))
		}
	}
	return parts
}
