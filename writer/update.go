package writer

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/git"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
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
	var saved Saved
	withheld := w.withheld("", removed)
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, to, err := change(m, draft)
		if err != nil {
			return nil, err
		}
		if doc == nil {
			saved = Saved{Status: "unchanged", Target: m.shown, ID: m.stem, Title: draft.Title}
			return nil, nil
		}
		if w.Config.Git.History && !git.Has(ctx, w.Root.Path, m.path()) { // no commit will tell when
			doc.UpdatedAt = w.now()
		}
		data, err := encodeValid(doc)
		if err = cmp.Or(err, w.checkCircle(m, doc)); err != nil {
			return nil, err
		}
		saved = Saved{
			Status: "updated", Target: to.shown, ID: doc.ID, Title: doc.Title,
			TimesUpdated: doc.TimesUpdated, Privacy: withheld,
		}
		if to.stem != m.stem {
			saved.RenamedFrom = m.shown
		}
		if w.Propose != nil {
			saved.Status = Proposed
			saved.Number, err = w.proposeChange(ctx, m, doc.Title, Proposal{Action: "updated", Memory: data})
			return nil, err
		}
		return w.replaceAndFollow(m, data, to)
	})
	return saved, err
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
	if w.Config.Git.History && len(schemas.Differences(old, doc)) == 0 {
		return nil, to, nil
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
	current := m.hash()
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
	err := cmp.Or(w.placeRelated(draft, old.RelatedFiles), checkTitle(draft, w.autofix(draft)))
	if err != nil {
		return nil, err
	}
	draft.UpdatedAt, draft.TimesUpdated = w.now(), max(0, old.TimesUpdated)+1
	if w.Config.Git.History {
		leaveHistory(old, draft)
	}
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
	var changed, unrecorded []string
	for _, d := range schemas.Differences(old, draft) {
		if !d.Routine() {
			changed = append(changed, d.Field)
		}
		if !d.Routine() && !recorded(d) {
			unrecorded = append(unrecorded, d.Field)
		}
	}
	before, after := old.Changes, draft.Changes
	if draft.Get("changes") == nil || len(before)+len(after) == 0 || reflect.DeepEqual(before, after) {
		if len(changed) == 0 {
			return nil, place{}, nil
		}
		draft.Changes = append([]schemas.Change{}, before...)
		if len(unrecorded) > 0 {
			summary := cut("Edited by hand: " + strings.Join(unrecorded, ", "))
			draft.Changes = append(draft.Changes, schemas.Change{Date: w.now(), Summary: summary})
		}
	}
	return w.updated(m, draft)
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

// newName returns where an updated memory goes. It gets the name of its new title if
// most words of that are new and the name is free. It also gets it if the file has
// that id already because a process died during an earlier rename.
func (w *Writer) newName(m *memory, old, doc *schemas.Memory) (place, error) {
	slug := text.Slug(doc.Title)
	if slug == "" || slug == m.stem || !retitled(old.Title, doc.Title) && doc.ID != slug {
		return m.place, nil
	}
	return w.freeName(m, slug)
}

// freeName returns the place of that stem, or the memory's own if that is taken.
func (w *Writer) freeName(m *memory, stem string) (place, error) {
	to := m.renamed(stem)
	_, err := m.folder.Stat(to.file())
	if errors.Is(err, fs.ErrNotExist) {
		if err = m.folder.CheckTwin(to.file()); err == nil {
			return to, nil
		}
	}
	var twin *files.CollisionError
	switch {
	case err == nil:
		w.warn("slug collision: %s exists, the file keeps its name", to.shown)
	case errors.As(err, &twin):
		w.warn("slug collision: %v, the file keeps its name", twin)
		err = nil
	}
	return m.place, err
}

// retitled reports whether more than half of the words of two titles are in only
// one of them.
func retitled(before, after string) bool {
	a, b := strings.Fields(text.Lower(before)), strings.Fields(text.Lower(after))
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	removed, added := without(a, b), without(b, a)
	return 2*(len(removed)+len(added)) > len(without(a, nil))+len(added)
}
