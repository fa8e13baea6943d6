package privacy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Field is a string of a JSON value, or a key, from which something was taken out.
type Field struct {
	Path   string `json:"field"` // content.rationale[0]
	Report Report `json:"report"`
	// Emptied is set if only markers are left.
	Emptied bool `json:"emptied,omitempty"`
}

// Value filters every string and every key of a decoded JSON value, except for the
// strings that exempt accepts by their path and text; nil exempts none. A key helps to
// judge its value. Value changes maps and lists in place and returns the new value, with
// a Field for each string that has something to report.
func (f *Filter) Value(v any, exempt func(path, s string) bool) (any, []Field) {
	w := valueWalker{filter: f, exempt: exempt}
	return w.value("", "", v), w.fields
}

// Member is Value for a member of an object, whose key helps to judge it.
func (f *Filter) Member(key string, v any) (any, []Field) {
	w := valueWalker{filter: f}
	return w.value(key, key, v), w.fields
}

// Key filters a key of an object, and numbers it if the object has such a key already.
func (f *Filter) Key(object map[string]any, key string) (string, Report) {
	return f.key(object, key, map[string]int{})
}

// key is Key that counts in used how often it gave a key to this object, so that many
// alike are not counted from the first each time.
func (f *Filter) key(object map[string]any, key string, used map[string]int) (string, Report) {
	const shortestSecret = 16
	if len(key) < shortestSecret && consistsOf(key, dashed) {
		return key, Report{}
	}
	out, r := f.Text(key)
	if !r.Found() {
		return key, r
	}
	for {
		used[out]++
		free := out
		if n := used[out]; n > 1 {
			free = fmt.Sprintf("%s %d", out, n)
		}
		if _, taken := object[free]; !taken {
			return free, r
		}
	}
}

// Sum adds up the reports of all fields.
func Sum(fields []Field) Report {
	var r Report
	for _, field := range fields {
		r.Add(field.Report)
	}
	return r
}

// OnlyMarkers reports whether a text consists of markers and white space.
func OnlyMarkers(s string) bool {
	return isBlankText(strings.NewReplacer(PrivateMarker, "", RedactedMarker, "").Replace(s))
}

// valueWalker filters a JSON value from the top down.
type valueWalker struct {
	filter *Filter
	exempt func(path, s string) bool
	fields []Field
}

// value filters what stands at a path, under the innermost key.
func (w *valueWalker) value(path, key string, v any) any {
	switch v := v.(type) {
	case string:
		return w.text(path, key, v)
	case []any:
		for i := range v {
			v[i] = w.value(fmt.Sprintf("%s[%d]", path, i), key, v[i])
		}
	case map[string]any:
		w.members(path, v)
	}
	return v
}

func (w *valueWalker) members(path string, object map[string]any) {
	if path != "" {
		path += "."
	}
	used := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		member := object[name]
		delete(object, name)
		key, r := w.filter.key(object, name, used)
		if r.Found() {
			w.fields = append(w.fields, Field{Path: path + key, Report: r})
		}
		object[key] = w.value(path+key, name, member)
	}
}

func (w *valueWalker) text(path, key, s string) string {
	if w.exempt != nil && w.exempt(path, s) {
		return s
	}
	out, r := w.filter.Text(s)
	if kind := kindOfName(key); kind != "" && out == s && isSecretMember(kind, key, s) {
		out = RedactedMarker
		r.addSecrets(kind, 1)
		r = r.withFilteredLength(out)
	}
	if r.Found() || len(r.Warnings) > 0 {
		w.fields = append(w.fields, Field{path, r, r.Found() && OnlyMarkers(out)})
	}
	return out
}

// isSecretMember judges a whole string by its key.
func isSecretMember(kind, key, s string) bool {
	c := candidate{kind: kind, keyName: key, value: s[:min(len(s), maxJudged)], quoted: true, relation: mapped}
	return c.isSecret()
}
