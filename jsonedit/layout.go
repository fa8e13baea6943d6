package jsonedit

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// layout is the white space of a file. What memctl adds follows it.
type layout struct {
	newline string
	unit    string // of indentation
	oneLine bool   // the file is a single line
}

func layoutOf(text []byte, root *hujson.Value) layout {
	l := layout{newline: "\n", unit: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	if before, _, _ := parts(root); len(before) > 0 {
		if indent, ok := indentation(before[0]); ok {
			l.unit = indent
		}
		l.oneLine = !bytes.Contains(bytes.TrimSpace(text), []byte("\n"))
	}
	return l
}

// parts returns the white space before each entry of an object or array, the values of
// the entries, and the white space after the last one.
func parts(v *hujson.Value) (before []*hujson.Extra, values []*hujson.Value, after *hujson.Extra) {
	if v == nil {
		return nil, nil, nil
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			before = append(before, &c.Members[i].Name.BeforeExtra)
			values = append(values, &c.Members[i].Value)
		}
		after = &c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			before = append(before, &c.Elements[i].BeforeExtra)
			values = append(values, &c.Elements[i])
		}
		after = &c.AfterExtra
	}
	return before, values, after
}

// indentation returns the indentation of an entry that starts a line.
func indentation(before *hujson.Extra) (indent string, startsLine bool) {
	at := bytes.LastIndexByte(*before, '\n')
	return string((*before)[at+1:]), at >= 0
}

// add appends a value to an object or array at a depth. Its white space follows the
// last entry there, or the file if there is none.
func (l layout) add(container *hujson.Value, depth int, key string, value hujson.Value) {
	indent, lines := strings.Repeat(l.unit, depth+1), !l.oneLine
	before, _, after := parts(container)
	last := len(before)
	if last > 0 {
		indent, lines = indentation(before[last-1])
	} else if lines {
		*after = hujson.Extra(l.newline + strings.Repeat(l.unit, depth))
	}
	switch c := container.Value.(type) {
	case *hujson.Object:
		c.Members = append(c.Members, newMember(key, value))
	case *hujson.Array:
		c.Elements = append(c.Elements, value)
	}
	before, values, _ := parts(container)
	l.place(last, before[last], values[last], indent, lines)
}

// place sets the white space of a new entry, in a container with a line for each entry
// or with a single line.
func (l layout) place(index int, before *hujson.Extra, value *hujson.Value, indent string, lines bool) {
	value.BeforeExtra = hujson.Extra(" ") // after the colon; in an array, this is *before
	switch {
	case lines:
		*before = hujson.Extra(l.newline + indent)
	case index > 0:
		*before = hujson.Extra(" ")
	default:
		*before = nil
	}
	l.arrange(value, indent, lines)
}

// arrange sets the white space inside a new value. A list of strings is on one line.
func (l layout) arrange(v *hujson.Value, indent string, lines bool) {
	if array, ok := v.Value.(*hujson.Array); ok && len(array.Elements) > 0 && array.Elements[0].Value.Kind() == '"' {
		lines = false
	}
	before, values, after := parts(v)
	for i := range before {
		l.place(i, before[i], values[i], indent+l.unit, lines)
	}
	if lines && len(before) > 0 {
		*after = hujson.Extra(l.newline + indent)
	}
}
