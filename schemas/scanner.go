package schemas

import (
	"bytes"
	"encoding/json"
	"iter"
)

// scanner finds the values in JSON that Valid has accepted, so it looks
// for boundaries and checks nothing. On other bytes it ends early, no worse.
type scanner struct {
	data []byte
	at   int
}

// peek moves to the next value, key or closing bracket and returns its first
// byte, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.data); s.at++ {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// open enters an object or a list; false means that no such one is next.
func (s *scanner) open(bracket byte) bool {
	if s.peek() != bracket {
		return false
	}
	s.at++
	return true
}

// more tells whether the object or list that was entered has another value,
// and leaves it when it has none.
func (s *scanner) more() bool {
	switch s.peek() {
	case '}', ']':
		s.at++
		return false
	case 0:
		return false
	}
	return true
}

// value returns the bytes of the next value or key and moves past it.
func (s *scanner) value() json.RawMessage {
	first := s.peek()
	start := s.at
	switch first {
	case '"':
		s.skipString()
	case '{', '[':
		s.skipNested()
	default:
		s.skipScalar()
	}
	return s.data[start:s.at:s.at]
}

// nextString moves to the next string, however deep; false means that there is
// none.
func (s *scanner) nextString() bool {
	length := bytes.IndexByte(s.data[s.at:], '"')
	s.at += max(0, length)
	return length >= 0
}

// isKey tells whether the string just read is one.
func (s *scanner) isKey() bool {
	return bytes.HasPrefix(bytes.TrimLeft(s.data[s.at:], " \t\r\n"), []byte(":"))
}

func (s *scanner) skipString() {
	for {
		s.at++
		length := bytes.IndexByte(s.data[min(s.at, len(s.data)):], '"')
		if length < 0 {
			s.at = len(s.data)
			return
		}
		s.at += length
		if !escaped(s.data[:s.at]) {
			s.at++
			return
		}
	}
}

// escaped tells whether what follows text has an odd number of backslashes
// before it.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

func (s *scanner) skipNested() {
	for depth := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '"':
			s.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

func (s *scanner) skipScalar() {
	length := bytes.IndexAny(s.data[s.at:], " \t\r\n,:]}")
	if length < 0 {
		length = len(s.data) - s.at
	}
	s.at += length
}

// members yields the members of an object in file order, repeated keys too;
// nothing for another value.
func members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		s := scanner{data: object}
		if !s.open('{') {
			return
		}
		for s.more() {
			if key := stringOf(s.value()); !yield(key, s.value()) {
				return
			}
		}
	}
}

// items yields the items of a list; nothing for another value.
func items(list []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		s := scanner{data: list}
		if !s.open('[') {
			return
		}
		for s.more() {
			if !yield(s.value()) {
				return
			}
		}
	}
}
