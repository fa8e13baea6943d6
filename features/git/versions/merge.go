// Package versions compares and merges the versions that git has of a memory: it merges two field by field, records
// and resolves what both changed, and lists which commit changed which field, and who wrote each value that the memory
// has now.
package versions

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Result is a merged memory. Where both sides changed the same value, it has ours.
type Result struct {
	Memory    *schemas.Memory
	Conflicts []schemas.Conflict
	// Notices say what did not fit and what deserves a second look, one sentence each.
	Notices []string
}

// Merge makes one memory of two versions that changed side by side, as a git merge does, but field by field,
// by the rules of this package. It merges ours and theirs, which both come from base. A nil base means that the
// two have no common version.
func Merge(base, ours, theirs *schemas.Memory) Result {
	var before map[string]any
	if base != nil {
		before = base.Values()
	}
	a, b := ours.Values(), theirs.Values()
	m := merger{moved: ours.Category != theirs.Category}
	merged := m.members("", before, a, b, m.field)
	m.mergeStatus(merged, before, a, b)
	return Result{schemas.MemoryOf(merged), m.conflicts, m.notices}
}

type merger struct {
	moved     bool // to another category, whose content has other fields
	conflicts []schemas.Conflict
	notices   []string
}

func (m *merger) notice(format string, args ...any) {
	m.notices = append(m.notices, fmt.Sprintf(format, args...))
}

// versions are the three versions of a value.
type versions struct{ base, ours, theirs any }

// absent is the value of a field that a version does not have.
type absent struct{}

func member(object map[string]any, name string) any {
	if v, ok := object[name]; ok {
		return v
	}
	return absent{}
}

// settled returns the merged value if only one side changed it, or both did alike.
func (v versions) settled() (any, bool) {
	switch {
	case reflect.DeepEqual(v.ours, v.theirs), reflect.DeepEqual(v.base, v.theirs):
		return v.ours, true
	case reflect.DeepEqual(v.base, v.ours):
		return v.theirs, true
	}
	return nil, false
}

// conflict keeps ours.
func (m *merger) conflict(field string, v versions) any {
	present := func(value any) any {
		if value == (absent{}) {
			return nil
		}
		return value
	}
	m.conflicts = append(m.conflicts, schemas.Conflict{
		Field: field, Base: present(v.base), Ours: present(v.ours), Theirs: present(v.theirs),
	})
	return v.ours
}

// members merges objects with a function that merges the versions of one member.
func (m *merger) members(path string, base, ours, theirs map[string]any,
	merge func(field string, v versions) any) map[string]any {
	all := maps.Clone(ours)
	maps.Copy(all, theirs)
	merged := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := merge(path+name, versions{member(base, name), member(ours, name), member(theirs, name)})
		if value != (absent{}) {
			merged[name] = value
		}
	}
	return merged
}

// field merges a field at the top of a memory.
func (m *merger) field(name string, v versions) any {
	switch name {
	case "changes":
		return m.changes(v)
	case "times_updated":
		return m.pick(name, v, isMore)
	case "updated_at":
		return m.pick(name, v, isLater)
	case "created_at":
		return m.pick(name, v, func(a, b any) (bool, bool) { return isLater(b, a) })
	}
	if slices.Contains(statusFields, name) {
		return absent{} // mergeStatus sets them
	}
	value, ok := v.settled()
	switch {
	case ok:
		return value
	case name == "id":
		m.notice("both sides renamed it, to %v and to %v: keep the file of the first name and remove the other", v.ours,
			v.theirs)
		return v.ours
	case name == "content" && m.moved:
		return m.conflict(name, v)
	case name == "tags":
		return m.tags(v)
	case name == "related_files":
		return m.files(v)
	}
	return m.value(name, v)
}

// pick takes one of two values that can be ordered: the one that comes first by before.
func (m *merger) pick(field string, v versions, before func(a, b any) (first, ok bool)) any {
	theirsFirst, ok := before(v.theirs, v.ours)
	switch {
	case !ok:
		return m.value(field, v)
	case theirsFirst:
		return v.theirs
	}
	return v.ours
}

func isMore(a, b any) (more, ok bool) {
	first, _ := a.(json.Number)
	second, _ := b.(json.Number)
	x, errX := first.Int64()
	y, errY := second.Int64()
	return x > y, errX == nil && errY == nil
}

func isLater(a, b any) (later, ok bool) {
	first, _ := a.(string)
	second, _ := b.(string)
	x, okX := schemas.ParseTime(first)
	y, okY := schemas.ParseTime(second)
	return x.After(y), okX && okY
}

// value merges any value: objects member by member, lists item by item.
func (m *merger) value(field string, v versions) any {
	if value, ok := v.settled(); ok {
		return value
	}
	ours, isObject := v.ours.(map[string]any)
	if theirs, ok := v.theirs.(map[string]any); ok && isObject {
		base, _ := v.base.(map[string]any)
		return m.members(field+".", base, ours, theirs, m.value)
	}
	if list, ok := mergeLists(v); ok {
		return list
	}
	return m.conflict(field, v)
}

// statusFields belong together: a memory that is active has no retired_at.
var statusFields = []string{"record_status", "retired_at", "retired_reason", "archived_at", "archived_reason"}

// mergeStatus takes the status and what belongs to it from one side.
func (m *merger) mergeStatus(merged, base, ours, theirs map[string]any) {
	before, a, b := statusOf(base), statusOf(ours), statusOf(theirs)
	from := ours
	switch {
	case a == b:
		if later, ok := isLater(theirs[a+"_at"], ours[a+"_at"]); ok && later {
			from = theirs
		}
	case a == before:
		from = theirs
		m.noticeStatus(b, base, ours)
	case b == before:
		m.noticeStatus(a, base, theirs)
	default:
		for _, name := range statusFields {
			v := versions{member(base, name), member(ours, name), member(theirs, name)}
			if !reflect.DeepEqual(v.ours, v.theirs) {
				m.conflict(name, v)
			}
		}
	}
	for _, name := range statusFields {
		if value, ok := from[name]; ok {
			merged[name] = value
		}
	}
}

// noticeStatus says so if one side changed the status and the other one the content.
func (m *merger) noticeStatus(status string, base, other map[string]any) {
	if status != string(schemas.Active) && !reflect.DeepEqual(base["content"], other["content"]) {
		m.notice("one side changed it and the other made it %s: it has the changes and is %s", status, status)
	}
}

// statusOf returns the record_status, active for a memory that has none.
func statusOf(doc map[string]any) string {
	if status, ok := doc["record_status"].(string); ok {
		return status
	}
	return string(schemas.Active)
}

// tags unites tags. If they are too many, ours stay.
func (m *merger) tags(v versions) any {
	united, ok := uniteAll(v)
	if !ok {
		return m.conflict("tags", v)
	}
	if len(united) > schemas.MaxTags {
		ours := newItems(v.ours.([]any))
		slices.SortStableFunc(united, func(a, b any) int { return ours.first(a) - ours.first(b) })
		left := make([]string, 0, len(united)-schemas.MaxTags)
		for _, tag := range united[schemas.MaxTags:] {
			left = append(left, fmt.Sprint(tag))
		}
		m.notice("a memory has at most %d tags: left out %s", schemas.MaxTags, strings.Join(left, ", "))
		united = united[:schemas.MaxTags]
	}
	slices.SortFunc(united, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return united
}

// files unites related files.
func (m *merger) files(v versions) any {
	if united, ok := uniteAll(v); ok {
		return united
	}
	return m.conflict("related_files", v)
}

// changes unites two histories by date. It keeps the newest if they are too many.
func (m *merger) changes(v versions) any {
	ours, okOurs := listOf(v.ours)
	theirs, okTheirs := listOf(v.theirs)
	if !okOurs || !okTheirs || reflect.DeepEqual(v.ours, v.theirs) {
		return m.value("changes", v)
	}
	united := uniteHistories(ours, theirs)
	excess := max(0, len(united)-schemas.MaxChanges)
	base, _ := listOf(v.base)
	if n := countNew(united[:excess], newItems(base), newItems(ours), newItems(theirs)); n > 0 {
		m.notice("a memory keeps %d changes: left out the %s, which git still has", schemas.MaxChanges,
			text.Plural(n, "oldest one", "oldest"))
	}
	return united[excess:]
}

// countNew counts the entries that go with this merge. An entry of base that a side
// lacks went before.
func countNew(dropped []any, base, ours, theirs items) int {
	n := 0
	for _, entry := range dropped {
		if key := keyOf(entry); !base.has(key) || ours.has(key) && theirs.has(key) {
			n++
		}
	}
	return n
}
