package writer

import (
	"cmp"
	"context"
	"crypto/md5"
	"fmt"
	"slices"

	"memctl/privacy"
	"memctl/schemas"
)

// Update replaces a memory with a draft, by the rules of merge. Hash is the MD5, in
// lower-case hex, of the file that the draft was made from. If it is "", Update does
// not check whether the file has changed since. If most words of the title are new,
// the file is renamed.
func (w *Writer) Update(ctx context.Context, target string, in Input, hash string) (Saved, error) {
	return w.replaceFrom(ctx, target, in, hash, w.updated)
}

// changing makes of a memory and a draft the memory that replaces it, nil if nothing changes.
type changing func(m *memory, draft *schemas.Memory) (*schemas.Memory, place, error)

// replaceFrom replaces a memory with what change makes of it and of a draft.
func (w *Writer) replaceFrom(
	ctx context.Context, target string, in Input, hash string, change changing,
) (Saved, error) {
	draft, err := in.decode()
	if err != nil {
		return Saved{}, err
	}
	removed := w.redact(draft)
	if err := checkTitle(draft, removed); err != nil {
		return Saved{}, err
	}
	checked := func(m *memory, draft *schemas.Memory) (*schemas.Memory, place, error) {
		if err := w.checkHash(m, hash); err != nil {
			return nil, place{}, err
		}
		return change(m, draft)
	}
	return w.replaceWith(ctx, target, draft, removed, checked)
}

// replaceWith is replaceFrom for a draft from which private text was removed already.
func (w *Writer) replaceWith(
	ctx context.Context, target string, draft *schemas.Memory, removed []privacy.Field, change changing,
) (Saved, error) {
	var done Saved
	withheld := w.withheld("", removed)
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, to, err := change(m, draft)
		if err != nil {
			return nil, err
		}
		if doc == nil {
			done = Saved{Status: "unchanged", Target: m.shown, ID: m.stem, Title: draft.Title}
			return nil, nil
		}
		data, err := encodeValid(doc)
		if err != nil {
			return nil, err
		}
		done = Saved{
			Status: "updated", Target: to.shown, ID: doc.ID, Title: doc.Title,
			TimesUpdated: doc.TimesUpdated, Privacy: withheld,
		}
		if to.stem != m.stem {
			done.RenamedFrom = m.shown
		}
		return m.replace(data, to)
	})
	return done, err
}

// updated returns the memory that an update writes, and where.
func (w *Writer) updated(m *memory, draft *schemas.Memory) (doc *schemas.Memory, to place, err error) {
	old, err := m.decode()
	if err != nil {
		return nil, to, err
	}
	w.redact(old) // parts of it go into the history
	if doc, err = w.merged(old, draft, m.place); err != nil {
		return nil, to, err
	}
	if to, err = w.newName(m, old, doc); err == nil && to.stem != m.stem {
		doc.ID = to.stem
	}
	return doc, to, err
}

// checkHash refuses a draft that was made from another version of the file.
func (w *Writer) checkHash(m *memory, hash string) error {
	if hash == "" {
		w.notify(Unchecked, "", "no --hash: a change made to the file since you read it may be overwritten")
		return nil
	}
	current := fmt.Sprintf("%x", md5.Sum(m.data))
	if hash == current {
		return nil
	}
	changed := refuse(OCCConflict, m.shown, "",
		"read the file again, make the change to what it says now, and give its MD5")
	changed.Problems[0].Facts = []Detail{{"expected_hash", hash}, {"current_hash", current}}
	return changed
}

// merged fixes the draft and merges it with the memory.
func (w *Writer) merged(old, draft *schemas.Memory, p place) (*schemas.Memory, error) {
	keepFields(old, draft, p)
	if err := checkTitle(draft, w.autofix(draft)); err != nil {
		return nil, err
	}
	draft.UpdatedAt, draft.TimesUpdated = w.now(), max(0, old.TimesUpdated)+1
	if err := checkDraft(draft); err != nil {
		return nil, err
	}
	return draft, w.merge(old, draft)
}

// keepFields gives the draft the fields that no update changes.
func keepFields(old, draft *schemas.Memory, p place) {
	missing := map[string]any{"id": p.stem, "category": string(p.category), "record_status": string(schemas.Active)}
	for _, field := range []string{"created_at", "id", "category", "record_status"} {
		if value := cmp.Or(old.Get(field), missing[field]); value != nil {
			draft.Set(field, value)
		}
	}
	for _, field := range lifecycleFields {
		draft.Set(field, old.Get(field))
	}
}

// checkDraft checks a draft against its schema, except for the length of its
// history, which merging cuts.
func checkDraft(draft *schemas.Memory) error {
	data, err := encode(draft)
	if err != nil {
		return err
	}
	return invalid(slices.DeleteFunc(schemas.Validate(data), func(v schemas.Violation) bool {
		return v.Field == "changes" && v.Rule == "maxItems"
	}))
}
