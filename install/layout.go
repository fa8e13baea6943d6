package install

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// layout is the white space of a file. Entries that memctl adds follow it.
type layout struct {
	newline string // "" if everything is on one line
	unit    string // of indentation
	space   string // after a colon and, on one line, after a comma
}

// The depth of the containers that memctl adds to.
const (
	inSettings = iota
	inSection  // hooks, permissions or mcpServers
	inEvent    // groups of hooks; also rules and the fields of a server
	inGroup
	inGroupHooks
	inHook
)

func layoutOf(text []byte, root *hujson.Value) layout {
	l := layout{"\n", "  ", " "}
	if first := bytes.IndexByte(text, '\n'); first > 0 && text[first-1] == '\r' {
		l.newline = "\r\n"
	}
	members := root.Value.(*hujson.Object).Members
	if len(members) == 0 {
		return l
	}
	if len(members[0].Value.BeforeExtra) == 0 {
		l.space = ""
	}
	if indent, ok := afterNewline(members[0].Name.BeforeExtra); ok {
		l.unit = indent
	} else if !bytes.Contains(text[root.StartOffset:root.EndOffset], []byte("\n")) {
		l.newline = ""
	}
	return l
}

// afterNewline returns the indentation of an entry that starts a line.
func afterNewline(extra hujson.Extra) (string, bool) {
	at := bytes.LastIndexByte(extra, '\n')
	return string(extra[at+1:]), at >= 0
}

// addMember appends a member to an object at a depth and returns the layout for what
// is inside the member.
func (l layout) addMember(object *hujson.Object, depth int, name string, value hujson.ValueTrimmed) layout {
	var last hujson.Extra
	n := len(object.Members)
	if n > 0 {
		last = object.Members[n-1].Name.BeforeExtra
	} else {
		object.AfterExtra = l.line(depth)
	}
	before, inner := l.next(n, last, depth)
	object.Members = append(object.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: before, Value: hujson.String(name)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(l.space), Value: value},
	})
	return inner
}

// addElement appends an element to an array at a depth, as addMember does.
func (l layout) addElement(array *hujson.Array, depth int, value hujson.ValueTrimmed) layout {
	var last hujson.Extra
	n := len(array.Elements)
	if n > 0 {
		last = array.Elements[n-1].BeforeExtra
	} else {
		array.AfterExtra = l.line(depth)
	}
	before, inner := l.next(n, last, depth)
	array.Elements = append(array.Elements, hujson.Value{BeforeExtra: before, Value: value})
	return inner
}

// next returns the white space before a new entry of a container that has n, and the
// layout inside it. Both follow the container's last entry.
func (l layout) next(n int, last hujson.Extra, depth int) (hujson.Extra, layout) {
	if n == 0 {
		return l.line(depth + 1), l
	}
	if indent, ok := afterNewline(last); ok {
		return hujson.Extra(l.newline + indent), l
	}
	l.newline = ""
	if n == 1 {
		last = hujson.Extra(l.space)
	}
	return last, l
}

// line is a line break with the indentation of a depth.
func (l layout) line(depth int) hujson.Extra {
	if l.newline == "" {
		return nil
	}
	return hujson.Extra(l.newline + strings.Repeat(l.unit, depth))
}

// array is an array of strings on one line.
func (l layout) array(items []string) *hujson.Array {
	array := new(hujson.Array)
	l.newline = ""
	for _, item := range items {
		l.addElement(array, 0, hujson.String(item))
	}
	return array
}
