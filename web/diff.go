package web

import (
	"encoding/json"
	"strings"
	"unicode"

	"memctl/schemas"
)

// changeView is an entry of a memory's history.
type changeView struct {
	Date, Summary, Field string
	Before, After        diffText
}

// diffText is one side of a change: what both sides begin and end with, and what differs.
type diffText struct{ Start, Changed, End string }

// Empty reports whether the side has no text.
func (d diffText) Empty() bool { return d.Start+d.Changed+d.End == "" }

func viewOf(c schemas.Change) changeView {
	v := changeView{Date: c.Date, Summary: c.Summary, Field: c.Field}
	v.Before, v.After = diff(plain(c.OldValue), plain(c.NewValue))
	return v
}

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

// plain returns a value of a history as a text: strings without quotes, a line for each
// entry of a list.
func plain(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	value, err := schemas.DecodeAny(raw)
	if err != nil {
		return ""
	}
	return plainValue(value)
}

func plainValue(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case []any:
		var lines []string
		for _, item := range value {
			lines = append(lines, plainValue(item))
		}
		return strings.Join(lines, "\n")
	}
	data, _ := schemas.EncodeJSON(value) // was decoded from JSON
	return string(data)
}
