package web

import (
	"encoding/json"
	"html/template"
	"strings"
	"unicode"

	"memctl/schemas"
)

// diffText is one side of a change: what both sides begin and end with, and what differs.
type diffText struct{ Start, Changed, End string }

// Empty reports whether the side has no text.
func (d diffText) Empty() bool { return d.Start+d.Changed+d.End == "" }

// diff compares two texts word by word.
func diff(old, now string) (before, after diffText) {
	if old == now {
		return diffText{Start: old}, diffText{Start: now}
	}
	a, b := words(old), words(now)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	side := func(list []string) diffText {
		last := len(list) - end
		return diffText{strings.Join(list[:start], ""), strings.Join(list[start:last], ""), strings.Join(list[last:], "")}
	}
	return side(a), side(b)
}

// words splits a text after each run of white space.
func words(s string) []string {
	var list []string
	start, space := 0, false
	for i, r := range s {
		if space && !unicode.IsSpace(r) {
			list = append(list, s[start:i])
			start = i
		}
		space = unicode.IsSpace(r)
	}
	return append(list, s[start:])
}

// sides are two values as texts, for a template.
type sides struct{ Before, After diffText }

func sidesOf(old, now any) (s sides) {
	s.Before, s.After = diff(plainValue(old), plainValue(now))
	return s
}

// plainValue returns a value of a memory as a text: strings without quotes, a line for each
// entry of a list.
func plainValue(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case json.RawMessage: // of a history
		decoded, _ := schemas.DecodeAny(value) // without a value it is nil
		return plainValue(decoded)
	case []any:
		lines := make([]string, len(value))
		for i, item := range value {
			lines[i] = plainValue(item)
		}
		return strings.Join(lines, "\n")
	}
	data, _ := schemas.EncodeJSON(value) // was decoded from JSON
	return string(data)
}

// kindOf says how a page shows a value of a memory: as texts, as records, or as one text.
func kindOf(value any) string {
	switch value := value.(type) {
	case map[string]any:
		if len(value) > 0 {
			return "object"
		}
	case []any:
		for _, item := range value {
			if kind := kindOf(item); kind != "text" {
				return "records"
			}
		}
		if len(value) > 0 {
			return "texts"
		}
	}
	return "text"
}

// shownValue is plainValue with words for a bool.
func shownValue(lang string, value any) string {
	switch value {
	case true:
		return translate(lang, "yes")
	case false:
		return translate(lang, "no")
	}
	return plainValue(value)
}

// hasValue reports whether a field says anything.
func hasValue(value any) bool {
	truth, _ := template.IsTrue(value)
	return truth || value == false
}
