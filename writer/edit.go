package writer

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"memctl/schemas"
)

// Edit replaces a memory with what a person made of its file. It is Update with three
// differences: a history to which the person added nothing gets an entry that names the
// changed fields; the answer's status is "unchanged" if there are none; and a file that
// is no valid memory can be repaired. The hash is that of the file as it was opened.
func (w *Writer) Edit(ctx context.Context, target string, in Input, hash string) (Saved, error) {
	return w.replaceWith(ctx, target, in, hash, w.edited)
}

func (w *Writer) edited(m *memory, draft schemas.Document) (schemas.Document, place, error) {
	if len(schemas.Validate(m.data)) > 0 {
		return w.repaired(m, draft)
	}
	old, err := m.document()
	if err != nil {
		return nil, place{}, err
	}
	w.warnOfKept(old, draft)
	keepFields(old, draft, m.place)
	changed := changedFields(old, draft)
	before, _ := old["changes"].([]any)
	after, _ := draft["changes"].([]any)
	if draft["changes"] == nil || len(before)+len(after) == 0 || reflect.DeepEqual(before, after) {
		if len(changed) == 0 {
			return nil, place{}, nil
		}
		draft["changes"] = withEdit(before, w.now(), unrecorded(old, changed))
	}
	return w.updated(m, draft)
}

// withEdit adds an entry that names the changed fields, if there are any, to a history.
func withEdit(changes []any, now string, changed []string) []any {
	changes = slices.Clone(changes)
	if len(changed) > 0 {
		changes = append(changes, map[string]any{"date": now, "summary": cut("Edited by hand: " + strings.Join(changed, ", "))})
	}
	return changes
}

// unrecorded keeps the changed fields for which contentChanges makes no entry.
func unrecorded(old schemas.Document, changed []string) []string {
	return slices.DeleteFunc(changed, func(name string) bool {
		field, inContent := strings.CutPrefix(name, "content.")
		switch contentOf(old)[field].(type) {
		case []any, map[string]any:
			return false
		}
		return inContent
	})
}

// repaired returns the document that takes the place of a file that is no valid memory.
// There is nothing to merge it with.
func (w *Writer) repaired(m *memory, draft schemas.Document) (schemas.Document, place, error) {
	if err := checkTitle(draft, w.autofix(draft)); err != nil {
		return nil, place{}, err
	}
	draft["id"], draft["category"] = m.stem, string(m.category)
	draft["updated_at"] = w.now()
	if draft["record_status"] == nil {
		draft["record_status"] = string(schemas.Active)
	}
	return draft, m.place, nil
}

// warnOfKept warns of changes to fields that an update does not change.
func (w *Writer) warnOfKept(old, draft schemas.Document) {
	for _, field := range slices.Concat([]string{"id", "category", "created_at", "record_status"}, lifecycleFields) {
		if !reflect.DeepEqual(old[field], draft[field]) {
			w.warn("%s: an edit does not change it; it stays %s", field, compact(old[field]))
		}
	}
}

// changedFields names the fields that differ, without those that every update changes.
func changedFields(old, draft schemas.Document) []string {
	var changed []string
	compare := func(prefix string, a, b map[string]any) {
		all := maps.Clone(a)
		maps.Copy(all, b)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !slices.Contains([]string{"content", "changes", "updated_at", "times_updated"}, name) && !reflect.DeepEqual(a[name], b[name]) {
				changed = append(changed, prefix+name)
			}
		}
	}
	compare("", old, draft)
	compare("content.", contentOf(old), contentOf(draft))
	return changed
}
