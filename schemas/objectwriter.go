package schemas

import (
	"bytes"
	"strconv"
)

// ObjectWriter writes an object member by member, as the tags of its type say:
// encoding/json would first have to learn them, in a process that writes one.
type ObjectWriter struct{ bytes.Buffer }

// Open begins the object, or one within it where it has a name.
func (b *ObjectWriter) Open(name string) {
	if name != "" {
		b.Raw(name, nil)
	}
	b.WriteByte('{')
}

// Close ends what was opened last.
func (b *ObjectWriter) Close() { b.WriteByte('}') }

// Raw writes a member whose value is JSON.
func (b *ObjectWriter) Raw(name string, value []byte) {
	if last := b.Bytes()[b.Len()-1]; last != '{' {
		b.WriteByte(',')
	}
	b.WriteString(`"` + name + `":`)
	b.Write(value)
}

// Text writes a string.
func (b *ObjectWriter) Text(name, s string) { text, _ := EncodeJSON(s); b.Raw(name, text) }

// Optional writes a string that is not empty.
func (b *ObjectWriter) Optional(name, s string) {
	if s != "" {
		b.Text(name, s)
	}
}

// Bool writes true or false.
func (b *ObjectWriter) Bool(name string, v bool) { b.Raw(name, strconv.AppendBool(nil, v)) }
