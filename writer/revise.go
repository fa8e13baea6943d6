package writer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memctl/schemas"
)

// revision makes of a memory what replaces it, nil if nothing changes, and says in a sentence what
// it did.
type revision func(m *memory, doc *schemas.Memory) (revised *schemas.Memory, summary string, err error)

// revise replaces a memory with its revision, without private text. Its history gets an entry with
// the summary, unless that is git's.
func (w *Writer) revise(ctx context.Context, target, status string, revise revision) (Saved, error) {
	var saved Saved
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		revised, summary, err := revise(m, doc)
		if err != nil {
			return nil, err
		}
		if revised == nil {
			saved = m.saved("unchanged", doc)
			return nil, nil
		}
		saved = m.saved(status, revised)
		if !w.Config.Git.History {
			if err := m.addChange(revised, schemas.Change{Date: w.now(), Summary: cut(summary)}); err != nil {
				return nil, err
			}
		}
		if err := cmp.Or(checkTitle(revised, w.redact(revised)), w.checkCircle(m, revised)); err != nil {
			return nil, err
		}
		if w.Config.Git.History && len(revised.Tags) > maxTags {
			w.fixTags(revised)
		}
		data, err := encodeValid(revised)
		if err != nil {
			return nil, err
		}
		if w.Propose != nil {
			saved.Status = Proposed
			saved.Number, err = w.proposeChange(ctx, m, revised.Title, Proposal{Action: "updated", Memory: data})
			return nil, err
		}
		return m.replace(data, m.place)
	})
	return saved, err
}

// stillHolds is what Confirm writes into a history.
const stillHolds = "Reviewed: it still holds"

// IsConfirmed reports whether a person confirmed a memory since it was last imported.
func IsConfirmed(m *schemas.Memory) bool {
	for _, c := range slices.Backward(m.Changes) {
		if c.Summary == stillHolds {
			return true
		}
		if isOrigin(c) {
			return false
		}
	}
	return false
}

// Confirm notes in a memory's history that it was reviewed and still holds, and makes
// that its last update.
func (w *Writer) Confirm(ctx context.Context, target string) (Saved, error) {
	if err := w.onlyPropose(UpdateError); err != nil {
		return Saved{}, err
	}
	return w.revise(ctx, target, "confirmed", func(m *memory, doc *schemas.Memory) (*schemas.Memory, string, error) {
		if status := statusOf(doc); status != string(schemas.Active) {
			return nil, "", refuse(UpdateError, m.shown, "it is "+status, "only an active memory is reviewed")
		}
		const summary = stillHolds
		if w.Config.Git.History { // git cannot know it
			return doc, summary, m.addChange(doc, schemas.Change{Date: w.now(), Summary: summary})
		}
		doc.UpdatedAt = w.now()
		doc.TimesUpdated++
		return doc, summary, nil
	})
}

// RenameFiles gives related files of a memory their new names. It leaves updated_at as it
// is, because the memory says nothing new. The status is "unchanged" if the memory has
// none of them any more.
func (w *Writer) RenameFiles(ctx context.Context, target string, renames []schemas.Rename) (Saved, error) {
	if err := w.onlyPropose(UpdateError); err != nil {
		return Saved{}, err
	}
	return w.revise(ctx, target, "updated", func(_ *memory, doc *schemas.Memory) (*schemas.Memory, string, error) {
		renamed := renameFiles(doc, renames)
		if len(renamed) == 0 {
			return nil, "", nil
		}
		return doc, "Renamed related files: " + strings.Join(renamed, ", "), nil
	})
}

// BringBack replaces what a memory says with an earlier version of it. Its identity, status and
// history stay, and the history gets an entry with the summary. Hash is the MD5 of the file that
// the person was shown.
func (w *Writer) BringBack(
	ctx context.Context, target, hash string, version *schemas.Memory, summary string,
) (Saved, error) {
	return w.revise(ctx, target, "updated", func(m *memory, now *schemas.Memory) (*schemas.Memory, string, error) {
		if err := w.checkHash(m, hash); err != nil {
			return nil, "", err
		}
		keepFields(now, version, m.place)
		version.Set("changes", now.Get("changes"))
		version.UpdatedAt, version.TimesUpdated = w.now(), max(0, now.TimesUpdated)+1
		if w.Config.Git.History {
			leaveHistory(now, version)
		}
		return version, summary, nil
	})
}

// Undo puts a memory's file back as it was before a change: its path and its bytes, nil for a
// file that the change made. Hash is the MD5 of the file as the change left it: a file that has
// changed since stays.
func (w *Writer) Undo(ctx context.Context, target, hash, path string, before []byte) error {
	return w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		if err := w.checkHash(m, hash); err != nil {
			return nil, err
		}
		if before == nil {
			return []string{m.path()}, m.unwritten(m.folder.Remove(m.file()))
		}
		to, err := w.placeOfPath(path)
		if err != nil {
			return nil, err
		}
		return m.replace(before, to)
	})
}

// renameFiles changes the related files of a memory, and returns the changes in words.
func renameFiles(doc *schemas.Memory, renames []schemas.Rename) (renamed []string) {
	names := map[string]string{}
	for _, r := range renames {
		names[r.From] = r.To
	}
	var files []string
	seen := map[string]bool{}
	for _, file := range strs(doc.Get("related_files")) {
		if to, ok := names[file]; ok {
			renamed = append(renamed, file+" -> "+to)
			file = to
		}
		if !seen[file] {
			seen[file] = true
			files = append(files, file)
		}
	}
	doc.RelatedFiles = files
	return renamed
}
