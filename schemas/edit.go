package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An edit changes one value of a JSON document that people write by hand, and
// leaves every other byte as it is. The document must have passed json.Valid.

// step is one member of an object on the way to a value; the offsets are those of
// the document.
type step struct {
	key                 string
	keyAt, valueAt, end int
}

// object is an object of the document.
type object struct {
	open, end int // of its braces; end is that of the closing one
	members   []step
}

func objectAt(doc []byte, at int) object {
	s := scanner{data: doc, at: at}
	s.open('{')
	o := object{open: s.at - 1}
	for s.more() {
		s.peek()
		m := step{keyAt: s.at}
		m.key = stringOf(s.value())
		s.peek()
		m.valueAt = s.at
		s.value()
		m.end = s.at
		o.members = append(o.members, m)
	}
	o.end = s.at - 1
	return o
}

// find returns the place of a key among the members, the last one that counts
// for it, -1 where there is none.
func (o object) find(key string, fold bool) int {
	for i, m := range slices.Backward(o.members) {
		if m.key == key || fold && strings.EqualFold(m.key, key) {
			return i
		}
	}
	return -1
}

// setValue puts a value at a path, and makes the objects that the path lacks.
// fold tells of which objects the keys count in any case.
func setValue(doc []byte, path []string, value json.RawMessage, fold func(parents []string) bool) ([]byte, error) {
	at := 0
	for depth, key := range path {
		o := objectAt(doc, at)
		i := o.find(key, fold(path[:depth]))
		if i < 0 {
			return o.insert(doc, key, nested(path[depth+1:], value)), nil
		}
		m := o.members[i]
		if depth == len(path)-1 {
			return splice(doc, m.valueAt, m.end, value), nil
		}
		if kind := kindOf(doc[m.valueAt:m.end]); kind != "an object" {
			return nil, fmt.Errorf("%s: expected an object, got %s", strings.Join(path[:depth+1], "."), kind)
		}
		at = m.valueAt
	}
	return doc, nil
}

// removeValue takes the member at a path out, where there is one.
func removeValue(doc []byte, path []string, fold func(parents []string) bool) []byte {
	at := 0
	for depth, key := range path {
		o := objectAt(doc, at)
		i := o.find(key, fold(path[:depth]))
		switch {
		case i < 0:
			return doc
		case depth == len(path)-1:
			return o.remove(doc, i)
		case kindOf(doc[o.members[i].valueAt:]) != "an object":
			return doc
		}
		at = o.members[i].valueAt
	}
	return doc
}

// insert adds a member after the last one, on a line of its own where that
// stands on one.
func (o object) insert(doc []byte, key string, value json.RawMessage) []byte {
	name, _ := json.Marshal(key) // of a string: cannot fail
	if n := len(o.members); n > 0 {
		last := o.members[n-1]
		space := spaceBefore(doc, last.keyAt)
		return splice(doc, last.end, last.end, []byte(","+space+string(name)+": "+laidOut(value, space)))
	}
	inner, outer := "", ""
	if o.open == 0 || bytes.ContainsRune(bytes.TrimSpace(doc), '\n') {
		outer = "\n" + indentOf(doc, o.open)
		inner = outer + "  "
	}
	return splice(doc, o.open+1, o.end, []byte(inner+string(name)+": "+laidOut(value, inner)+outer))
}

func (o object) remove(doc []byte, i int) []byte {
	m := o.members[i]
	switch {
	case len(o.members) == 1:
		return splice(doc, o.open+1, o.end, nil)
	case i == len(o.members)-1:
		return splice(doc, o.members[i-1].end, m.end, nil)
	}
	return splice(doc, m.keyAt, o.members[i+1].keyAt, nil)
}

// nested wraps a value into the objects that a path names.
func nested(path []string, value json.RawMessage) json.RawMessage {
	for _, key := range slices.Backward(path) {
		name, _ := json.Marshal(key)
		value = slices.Concat([]byte("{"), name, []byte(":"), value, []byte("}"))
	}
	return value
}

// laidOut renders a value below the white space that stands before its key.
func laidOut(value json.RawMessage, space string) string {
	newline := strings.LastIndexByte(space, '\n')
	if newline < 0 {
		return string(value)
	}
	var b bytes.Buffer
	_ = json.Indent(&b, value, space[newline+1:], "  ") // of valid JSON: cannot fail
	return b.String()
}

func spaceBefore(doc []byte, at int) string {
	return string(doc[len(bytes.TrimRight(doc[:at], " \t\r\n")):at])
}

// indentOf is the white space at the beginning of the line of a place.
func indentOf(doc []byte, at int) string {
	line := doc[bytes.LastIndexByte(doc[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func splice(doc []byte, from, to int, insert []byte) []byte {
	return slices.Concat(doc[:from], insert, doc[to:])
}
