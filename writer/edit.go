package writer

import (
	"context"
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
	return w.replaceFrom(ctx, target, in, hash, w.edited)
}

func (w *Writer) edited(m *memory, draft *schemas.Memory) (*schemas.Memory, place, error) {
	if len(schemas.Validate(m.data)) > 0 {
		return w.repaired(m, draft)
	}
	old, err := m.decode()
	if err != nil {
		return nil, place{}, err
	}
	w.warnOfKept(old, draft)
	keepFields(old, draft, m.place)
	changed := changedFields(old, draft)
	before, after := old.Changes, draft.Changes
	if draft.Get("changes") == nil || len(before)+len(after) == 0 || reflect.DeepEqual(before, after) {
		if len(changed) == 0 {
			return nil, place{}, nil
		}
		draft.Changes = withEdit(before, w.now(), unrecorded(old, changed))
	}
	return w.updated(m, draft)
}

// withEdit adds an entry that names the changed fields, if there are any, to a history.
func withEdit(changes []schemas.Change, now string, changed []string) []schemas.Change {
	changes = append([]schemas.Change{}, changes...)
	if len(changed) > 0 {
		summary := cut("Edited by hand: " + strings.Join(changed, ", "))
		changes = append(changes, schemas.Change{Date: now, Summary: summary})
	}
	return changes
}

// unrecorded keeps the changed fields for which contentChanges makes no entry.
func unrecorded(old *schemas.Memory, changed []string) []string {
	content := old.ContentValues()
	return slices.DeleteFunc(changed, func(name string) bool {
		field, inContent := strings.CutPrefix(name, "content.")
		switch content[field].(type) {
		case []any, map[string]any:
			return false
		}
		return inContent
	})
}

// repaired returns the memory that takes the place of a file that is no valid memory.
// There is nothing to merge it with.
func (w *Writer) repaired(m *memory, draft *schemas.Memory) (*schemas.Memory, place, error) {
	if err := checkTitle(draft, w.autofix(draft)); err != nil {
		return nil, place{}, err
	}
	draft.ID, draft.UpdatedAt = m.stem, w.now()
	draft.SetCategory(m.category)
	if draft.Get("record_status") == nil {
		draft.RecordStatus = schemas.Active
	}
	return draft, m.place, nil
}

// warnOfKept warns of changes to fields that an update does not change.
func (w *Writer) warnOfKept(old, draft *schemas.Memory) {
	for _, field := range slices.Concat([]string{"id", "category", "created_at", "record_status"}, lifecycleFields) {
		if stays := old.Get(field); !reflect.DeepEqual(stays, draft.Get(field)) {
			w.warnOf(field, "an edit does not change it; it stays %s", compact(stays))
		}
	}
}

// changedFields names the fields that differ, without those that every update changes.
func changedFields(old, draft *schemas.Memory) (changed []string) {
	for _, d := range schemas.Differences(old, draft) {
		if !d.Routine() {
			changed = append(changed, d.Field)
		}
	}
	return changed
}
