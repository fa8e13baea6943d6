package versions

import (
	"bytes"
	"testing"

	"memctl/schemas"
)

func TestSides(t *testing.T) {
	tests := map[string]struct {
		data, base, ours, theirs string
		line                     int
	}{
		"no markers": {data: "{\n}\n", base: "", ours: "{\n}\n", theirs: "{\n}\n"},
		"a conflict": {data: "{\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> side\n}\n", ours: "{\n1\n}\n",
			theirs: "{\n2\n}\n", line: 2},
		"two": {data: "<<<<<<< a\n1\n=======\n>>>>>>> b\n-\n<<<<<<< a\n=======\n2\n>>>>>>> b\n", ours: "1\n-\n",
			theirs: "-\n2\n", line: 1},
		"diff3": {data: "{\n<<<<<<< a\n1\n||||||| 3f2a\n0\n=======\n2\n>>>>>>> b\n}\n", base: "{\n0\n}\n",
			ours: "{\n1\n}\n", theirs: "{\n2\n}\n", line: 2},
		"CRLF":         {data: "<<<<<<< a\r\n1\r\n=======\r\n2\r\n>>>>>>> b\r\n", ours: "1\r\n", theirs: "2\r\n", line: 1},
		"long markers": {data: "<<<<<<<<<<<< a\n1\n============\n2\n>>>>>>>>>>>> b", ours: "1\n", theirs: "2\n", line: 1},
		"in a string": {data: "{\"a\": \"<<<<<<< \"}\n", ours: "{\"a\": \"<<<<<<< \"}\n",
			theirs: "{\"a\": \"<<<<<<< \"}\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := schemas.Sides([]byte(tt.data))
			if string(got.Base) != tt.base || string(got.Ours) != tt.ours || string(got.Theirs) != tt.theirs {
				t.Errorf("base %q, ours %q, theirs %q", got.Base, got.Ours, got.Theirs)
			}
			if line := schemas.ConflictLine([]byte(tt.data)); line != tt.line {
				t.Errorf("line %d, want %d", line, tt.line)
			}
		})
	}
}

// A file without markers is both of its sides, and no file makes a record fail otherwise
// than with an error.
func FuzzSidesAndRecords(f *testing.F) {
	f.Add([]byte("{\n<<<<<<< HEAD\n1\n||||||| 3f2a\n0\n=======\n2\n>>>>>>> side\n}\n"))
	f.Add([]byte(`{"memory": "x", "conflicts": [{"field": "a.b.", "theirs": {"c": 1}}, {"field": ""}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		sides := schemas.Sides(data)
		if schemas.ConflictLine(data) == 0 && !bytes.Equal(sides.Ours, sides.Theirs) {
			t.Errorf("sides of a file without a conflict: %q", sides)
		}
		record, err := schemas.DecodeConflictRecord(data)
		if err != nil {
			return
		}
		doc := schemas.MemoryOf(map[string]any{"a": map[string]any{"b": "c"}})
		for _, c := range record.Conflicts {
			_ = SetTheirs(doc, c) // an error for a field that cannot be there
		}
	})
}
