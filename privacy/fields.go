package privacy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Field is a string of a JSON value from which something was taken out.
type Field struct {
	Path   string `json:"field"` // content.rationale[0]
	Report Report `json:"report"`
	// Emptied is set where nothing is left but markers.
	Emptied bool `json:"emptied,omitempty"`
}

// Value filters every string of a decoded JSON value, which stands at a path ("" is
// the top). Maps and lists are changed in place, a string is returned. Keys help to
// judge what they name, and are filtered too. The fields are those with something to
// tell.
func (f *Filter) Value(path string, v any) (any, []Field) {
	w := walker{f: f}
	return w.value(path, "", v), w.fields
}

// Member is Value for a member of an object, whose key helps to judge it.
func (f *Filter) Member(key string, v any) (any, []Field) {
	w := walker{f: f}
	return w.value(key, key, v), w.fields
}

// Members is Value for the members of an object, but for some that stay as they are.
func (f *Filter) Members(path string, object map[string]any, except ...string) []Field {
	w := walker{f: f}
	w.members(path, object, except)
	return w.fields
}

// Key filters a key that is to stand in an object, and makes it another one than
// those that stand there.
func (f *Filter) Key(object map[string]any, key string) (string, Report) {
	if isPlainKey(key) {
		return key, Report{}
	}
	out, r := f.Text(key)
	if !r.Found() {
		return key, r
	}
	free := out
	for n := 2; ; n++ {
		if _, taken := object[free]; !taken {
			return free, r
		}
		free = fmt.Sprintf("%s %d", out, n)
	}
}

// isPlainKey tells a key that is too short to be a secret and has no tag, as nearly
// all have.
func isPlainKey(key string) bool {
	const shortest = 16 // of the tokens that are known by their shape
	if len(key) >= shortest {
		return false
	}
	for i := range len(key) {
		if c := key[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Sum adds up what was found in all fields.
func Sum(fields []Field) Report {
	var r Report
	for _, field := range fields {
		r.Add(field.Report)
	}
	return r
}

type walker struct {
	f      *Filter
	fields []Field
}

// value filters what stands at a path, under the key named last.
func (w *walker) value(path, key string, v any) any {
	switch v := v.(type) {
	case string:
		return w.text(path, key, v)
	case []any:
		for i := range v {
			v[i] = w.value(fmt.Sprintf("%s[%d]", path, i), key, v[i])
		}
	case map[string]any:
		w.members(path, v, nil)
	}
	return v
}

func (w *walker) members(path string, object map[string]any, except []string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains(except, name) {
			continue
		}
		below := object[name]
		delete(object, name)
		kept := w.key(path, object, name)
		object[kept] = w.value(joined(path, kept), name, below)
	}
}

func (w *walker) key(path string, object map[string]any, name string) string {
	out, r := w.f.Key(object, name)
	if r.Found() {
		w.fields = append(w.fields, Field{Path: joined(path, out), Report: r})
	}
	return out
}

func joined(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (w *walker) text(path, key, s string) string {
	out, r := w.f.Text(s)
	if kind := kindOfName(key); kind != "" && out == s && isNamed(kind, key, s) {
		out = RedactedMarker
		r.secret(kind, 1)
		r = r.of(out)
	}
	if r.Found() || len(r.Warnings) > 0 {
		w.fields = append(w.fields, Field{path, r, r.Found() && OnlyMarkers(out)})
	}
	return out
}

// OnlyMarkers tells whether a text says nothing beside markers.
func OnlyMarkers(s string) bool {
	return blank(strings.NewReplacer(PrivateMarker, "", RedactedMarker, "").Replace(s))
}

// isNamed judges the value of a key.
func isNamed(kind, key, s string) bool {
	v := value{kind: kind, name: key, end: len(s), text: s[:min(len(s), maxJudged)], quoted: true, relation: mapped}
	return v.isSecret()
}
