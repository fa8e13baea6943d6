package schemas

import (
	"maps"
	"reflect"
	"slices"
)

// Difference is a field that two memories do not have alike. A value is as DecodeAny
// decodes it, nil for none.
type Difference struct {
	Field    string // dotted: content.rule
	Old, New any
}

// Routine reports whether every update changes the field.
func (d Difference) Routine() bool {
	return slices.Contains([]string{"changes", "updated_at", "times_updated"}, d.Field)
}

// Differences lists the fields of the head that differ, and then those of the content,
// each by name.
func Differences(before, after *Memory) (list []Difference) {
	compare := func(prefix string, a, b map[string]any) {
		all := maps.Clone(a)
		maps.Copy(all, b)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !reflect.DeepEqual(a[name], b[name]) {
				list = append(list, Difference{prefix + name, a[name], b[name]})
			}
		}
	}
	a, b := before.Values(), after.Values()
	delete(a, "content")
	delete(b, "content")
	compare("", a, b)
	compare("content.", before.ContentValues(), after.ContentValues())
	return list
}
