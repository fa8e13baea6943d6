package settings

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// layout is how a file sets its lines, so that what is added looks as if it had
// always been there.
type layout struct {
	newline string // "" for all on one line
	unit    string // of indentation
	space   string // after a colon or, on one line, a comma
}

// How deep the containers lie that memctl adds to.
const (
	inSettings = iota
	inSection  // hooks or permissions
	inEvent    // its groups; the rules of permissions.allow
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

// afterNewline is the indentation of what starts a line.
func afterNewline(extra hujson.Extra) (string, bool) {
	at := bytes.LastIndexByte(extra, '\n')
	return string(extra[at+1:]), at >= 0
}

// addMember puts a member at the end of an object that lies at a depth, and
// returns the layout within it.
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

// addElement is addMember for an array.
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

// next is what stands before one more entry of a container of n, and the layout
// within it: as the last one has it.
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

// line is a new line, indented for a depth.
func (l layout) line(depth int) hujson.Extra {
	if l.newline == "" {
		return nil
	}
	return hujson.Extra(l.newline + strings.Repeat(l.unit, depth))
}

// list is an array of strings on one line.
func (l layout) list(items []string) *hujson.Array {
	array := new(hujson.Array)
	l.newline = ""
	for _, item := range items {
		l.addElement(array, 0, hujson.String(item))
	}
	return array
}

// removeMember undoes addMember.
func removeMember(object *hujson.Object, name string) {
	at := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return nameOf(m.Name) == name })
	first := object.Members[0].Name.BeforeExtra
	object.Members = slices.Delete(object.Members, at, at+1)
	if n := len(object.Members); n > 0 {
		object.Members[0].Name.BeforeExtra = first
		object.Members[n-1].Value.AfterExtra = nil // what stood before its comma
	} else {
		object.AfterExtra = nil
	}
}

// removeElement undoes addElement.
func removeElement(array *hujson.Array, at int) {
	first := array.Elements[0].BeforeExtra
	array.Elements = slices.Delete(array.Elements, at, at+1)
	if n := len(array.Elements); n > 0 {
		array.Elements[0].BeforeExtra = first
		array.Elements[n-1].AfterExtra = nil
	} else {
		array.AfterExtra = nil
	}
}
