package versions

import (
	"bytes"
	"fmt"
	"strings"

	"memctl/schemas"
)

// SetTheirs gives a memory the value that theirs had.
func SetTheirs(m *schemas.Memory, c schemas.Conflict) error {
	values := m.Values()
	object, name := values, c.Field
	for {
		first, rest, found := strings.Cut(name, ".")
		within, isObject := object[first].(map[string]any)
		if !found || !isObject {
			break
		}
		object, name = within, rest
	}
	if strings.Contains(name, ".") {
		return fmt.Errorf("the memory has no %s", c.Field)
	}
	if c.Theirs == nil {
		delete(object, name)
	} else {
		object[name] = c.Theirs
	}
	*m = *schemas.MemoryOf(values)
	return nil
}

// Texts are the versions of a file, nil for one that does not exist.
type Texts struct{ Base, Ours, Theirs []byte }

// Sides returns the versions between the markers that git left in a file. The base is
// nil unless git's conflict style is diff3.
func Sides(data []byte) Texts {
	var base, ours, theirs []byte
	hasBase, in := false, byte(0)
	for line := range bytes.Lines(data) {
		switch kind := schemas.ConflictMarker(line); {
		case kind == '>' && in == '=':
			in = 0
		case kind == '<' && in == 0, kind == '|' && in == '<', kind == '=' && (in == '<' || in == '|'):
			in = kind
			hasBase = hasBase || kind == '|'
		case in == '<':
			ours = append(ours, line...)
		case in == '|':
			base = append(base, line...)
		case in == '=':
			theirs = append(theirs, line...)
		default:
			base, ours, theirs = append(base, line...), append(ours, line...), append(theirs, line...)
		}
	}
	if !hasBase {
		base = nil
	}
	return Texts{base, ours, theirs}
}
