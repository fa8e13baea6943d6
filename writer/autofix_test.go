package writer

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestAutofix(t *testing.T) {
	tests := map[string]struct {
		field  string
		value  any
		want   any
		fixes  int // how many are reported
		warned int
	}{
		"a title in order":           {"title", "Kafka", "Kafka", 0, 0},
		"a title with white space":   {"title", " Kafka\n", "Kafka", 1, 0},
		"an invisible title":         {"title", "\u200b\u202e ", "", 1, 0},
		"a title with an arrow":      {"title", "a -> b", "a - b", 1, 0},
		"a title that is a number":   {"title", json.Number("5"), json.Number("5"), 0, 0},
		"tags in order":              {"tags", []any{"a", "b"}, []any{"a", "b"}, 0, 0},
		"tags in disorder":           {"tags", []any{"B", "a", " b "}, []any{"a", "b"}, 0, 0},
		"a tag with a comma":         {"tags", []any{"a,b"}, []any{"a b"}, 0, 0},
		"a marker in pieces":         {"tags", []any{"#ta#tags:gs:x"}, []any{"x"}, 0, 0},
		"a marker in capitals":       {"tags", []any{"#TAGS:x"}, []any{"x"}, 0, 0},
		"no tags":                    {"tags", []any{}, []any{"untagged"}, 1, 0},
		"tags that are a string":     {"tags", "a", []any{"a"}, 1, 0},
		"tags that are none":         {"tags", []any{json.Number("1"), nil}, []any{"untagged"}, 1, 1},
		"tags that are an object":    {"tags", map[string]any{}, map[string]any{}, 0, 0},
		"confidence above":           {"confidence", json.Number("1.5"), json.Number("1"), 1, 0},
		"confidence below":           {"confidence", json.Number("-0.1"), json.Number("0"), 1, 0},
		"confidence out of range":    {"confidence", json.Number("1e999"), json.Number("1e999"), 0, 0},
		"confidence within":          {"confidence", json.Number("0.50"), json.Number("0.50"), 0, 0},
		"confidence that is null":    {"confidence", nil, nil, 0, 0},
		"related files that are":     {"related_files", nil, nil, 0, 0},
		"another schema version":     {"schema_version", "2.0", "1.0", 1, 0},
		"no time":                    {"created_at", "", "2026-03-01T12:00:00Z", 1, 0},
		"a time of some other form":  {"created_at", "yesterday", "yesterday", 0, 0},
		"times_updated that is null": {"times_updated", nil, nil, 0, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w, notices := testWriter()
			doc := memoryFor("Title", "tag", "", "v")
			values := doc.Values()
			values[tt.field] = tt.value
			doc = schemas.MemoryOf(values)
			w.autofix(doc)
			if diff := cmp.Diff(tt.want, doc.Get(tt.field)); diff != "" {
				t.Error(diff)
			}
			fixes, warned := 0, 0
			for _, n := range *notices {
				switch {
				case strings.HasPrefix(n, "[AUTO-FIX] "+tt.field+": "):
					fixes++
				case strings.HasPrefix(n, "[WARN] "+tt.field+": "):
					warned++
				default:
					t.Errorf("got the notice %q", n)
				}
			}
			if fixes != tt.fixes || warned != tt.warned {
				t.Errorf("got the notices %v", *notices)
			}
		})
	}
}

// A tag beyond the limit is dropped, so the notice names it.
func TestTagsLeftOutAreNamed(t *testing.T) {
	w, notices := testWriter()
	w.autofix(memoryFor("Title", "a,b,c,d,e,f,g,h,i,j,k,l,zebra,yak", "", "v"))
	if len(*notices) != 1 || !strings.HasSuffix((*notices)[0], "left out yak, zebra") {
		t.Errorf("got the notices %v", *notices)
	}
}

// Fixing a fixed document changes nothing and reports nothing, except if a fix makes new
// markers in a title: the vectors require a single pass, and text.Line removes the
// markers when the title is shown.
func FuzzAutoFix(f *testing.F) {
	f.Add(`{"title": " Kafka -> Redis ", "tags": "A,b", "confidence": 3, "created_at": ""}`)
	f.Add(`{"title": "#tags:x", "tags": ["#ta#tags:gs:", " -> ", 5, null], "changes": null}`)
	f.Add(`{"tags": ["İ", "ẞ", "K"], "confidence": -1e-9, "schema_version": 1}`)
	f.Fuzz(func(t *testing.T, data string) {
		doc, err := schemas.DecodeExact([]byte(data))
		if err != nil {
			t.Skip()
		}
		w, notices := testWriter()
		w.autofix(doc)
		if title := doc.Title; title != withoutMarkers(dropControl(strings.TrimSpace(title))) {
			doc.Set("title", nil)
		}
		first, err := doc.Encode()
		if err != nil {
			t.Skip()
		}
		*notices = nil
		w.autofix(doc)
		second, err := doc.Encode()
		if err != nil || string(first) != string(second) || len(*notices) > 0 {
			t.Errorf("not the same again (%v), got the notices %v:\n%s", err, *notices, cmp.Diff(string(first), string(second)))
		}
		if len(doc.Tags) > maxTags || !slices.IsSorted(doc.Tags) {
			t.Errorf("tags %q", doc.Tags)
		}
	})
}
