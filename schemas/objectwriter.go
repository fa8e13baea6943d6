package schemas

import "bytes"

// ObjectWriter writes a JSON object member by member.
type ObjectWriter struct{ bytes.Buffer }

// Open begins the object, or one within it if it has a name.
func (b *ObjectWriter) Open(name string) {
	if name != "" {
		b.Raw(name, nil)
	}
	b.WriteByte('{')
}

// Close ends the object that was opened last.
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
func (b *ObjectWriter) Text(name, s string) {
	text, _ := EncodeJSON(s) // a string: cannot fail
	b.Raw(name, text)
}

// Optional writes a string that is not empty.
func (b *ObjectWriter) Optional(name, s string) {
	if s != "" {
		b.Text(name, s)
	}
}
