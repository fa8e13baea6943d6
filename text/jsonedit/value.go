package jsonedit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tailscale/hujson"
)

// Value is a value of a file, or the place of one that is not there. It is good until the
// file is changed.
type Value struct {
	Pointer string
	file    *File
	value   *hujson.Value // nil if it is not there
}

// Member is a member of an object.
type Member struct {
	Name string
	Value
}

// Root is the object that is the whole file.
func (f *File) Root() Value { return Value{file: f, value: &f.root} }

// At returns the value that a pointer names.
func (f *File) At(pointer string) Value { return Value{pointer, f, f.root.Find(pointer)} }

// Exists reports whether the value is in the file.
func (v Value) Exists() bool { return v.value != nil }

// IsNull reports whether the value is not there or null.
func (v Value) IsNull() bool { return v.value == nil || v.value.Value.Kind() == 'n' }

// IsObject reports whether the value is there and an object.
func (v Value) IsObject() bool { return v.value != nil && v.value.Value.Kind() == '{' }

// IsEmpty reports whether the value has no members or elements.
func (v Value) IsEmpty() bool {
	before, _, _ := parts(v.value)
	return len(before) == 0
}

// Members lists the members of a value that has to be an object. A missing one has none.
// A duplicate member is an error: one program takes the last one, another the first.
func (v Value) Members() []Member {
	if v.value == nil {
		return nil
	}
	object, ok := v.value.Value.(*hujson.Object)
	if !ok {
		v.Fail("%s: expected an object, found %s", v.name(), kindOf(v.value))
		return nil
	}
	list := make([]Member, len(object.Members))
	seen := make(map[string]bool, len(list))
	for i := range list {
		name := nameOf(object.Members[i])
		if seen[name] {
			v.file.fail(object.Members[i].Name.StartOffset, "%s: %q is there twice", v.name(), name)
		}
		seen[name] = true
		list[i] = Member{name, Value{Pointer(v.Pointer, name), v.file, &object.Members[i].Value}}
	}
	return list
}

// Member returns the member of a name of a value that has to be an object. It
// distinguishes case, which encoding/json does not.
func (v Value) Member(name string) Value {
	member := Value{Pointer: Pointer(v.Pointer, name), file: v.file}
	for _, m := range v.Members() {
		if m.Name == name {
			member = m.Value
		}
	}
	return member
}

// Elements lists the elements of a value that has to be an array. A missing one has none.
func (v Value) Elements() []Value {
	if v.value == nil {
		return nil
	}
	array, ok := v.value.Value.(*hujson.Array)
	if !ok {
		v.Fail("%s: expected an array, found %s", v.name(), kindOf(v.value))
		return nil
	}
	list := make([]Value, len(array.Elements))
	for i := range list {
		list[i] = Value{Pointer(v.Pointer, strconv.Itoa(i)), v.file, &array.Elements[i]}
	}
	return list
}

// Decode unmarshals the value. It skips what has another type than its place in into.
func (v Value) Decode(into any) {
	if v.value != nil {
		_ = json.Unmarshal(v.value.Pack(), into)
	}
}

// Strings lists the elements of a list. One that is not a string gives "".
func (v Value) Strings() []string {
	elements := v.Elements()
	list := make([]string, len(elements))
	for i, e := range elements {
		e.Decode(&list[i])
	}
	return list
}

// Fail keeps an error about the value, with its position.
func (v Value) Fail(format string, args ...any) {
	if v.value != nil {
		v.file.fail(v.value.StartOffset, format, args...)
	}
}

// indexes are the parts of a pointer that count elements.
var indexes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/([0-9]+)\b`) })

// name is the pointer for people: hooks.Stop[0].
func (v Value) name() string {
	if v.Pointer == "" {
		return "the settings"
	}
	name := indexes().ReplaceAllString(v.Pointer[1:], "[$1]")
	return unescape(strings.ReplaceAll(name, "/", "."))
}

func kindOf(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return v.Value.(hujson.Literal).String()
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// Pointer names a member or an element of what a pointer names.
func Pointer(container, key string) string {
	return container + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func unescape(key string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(key) }

// Cut splits a pointer into that of the container and the key in it.
func Cut(pointer string) (container, key string) {
	at := strings.LastIndexByte(pointer, '/')
	return pointer[:at], pointer[at+1:]
}

// encode converts a value to JSON that people read. It keeps an error.
func (f *File) encode(value any) (v hujson.Value) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	if err == nil {
		v, err = hujson.Parse(bytes.TrimSpace(text.Bytes()))
	}
	f.err = cmp.Or(f.err, err)
	return v
}

func equal(a, b hujson.Value) bool {
	var left, right any
	err := errors.Join(json.Unmarshal(a.Pack(), &left), json.Unmarshal(b.Pack(), &right))
	return err == nil && reflect.DeepEqual(left, right)
}

// layout is the white space of a file. Additions of memctl follow it.
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
