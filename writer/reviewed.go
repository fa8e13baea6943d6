package writer

import (
	"context"
	"strings"

	"memctl/schemas"
)

// Confirm notes in a memory's history that it was reviewed and still holds, and makes
// that its last update.
func (w *Writer) Confirm(ctx context.Context, target string) (Saved, error) {
	var done Saved
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		if status := statusOf(doc); status != string(schemas.Active) {
			return nil, refuse(UpdateError, m.shown, "it is "+status, "only an active memory is reviewed")
		}
		const summary = "Reviewed: it still holds"
		if w.Config.Git.History { // git cannot know it
			if err := m.addChange(doc, schemas.Change{Date: w.now(), Summary: summary}); err != nil {
				return nil, err
			}
		} else {
			doc.UpdatedAt = w.now()
			doc.TimesUpdated++
		}
		paths, err := w.saveReviewed(m, doc, summary)
		done = Saved{Status: "confirmed", Target: m.shown, ID: m.stem, Title: doc.Title, TimesUpdated: doc.TimesUpdated}
		return paths, err
	})
	return done, err
}

// RenameFiles gives related files of a memory their new names. It leaves updated_at as it
// is, because the memory says nothing new. The status is "unchanged" if the memory has
// none of them any more.
func (w *Writer) RenameFiles(ctx context.Context, target string, renames []schemas.Rename) (Saved, error) {
	var done Saved
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) (paths []string, err error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		done = Saved{Status: "unchanged", Target: m.shown, ID: m.stem, Title: doc.Title, TimesUpdated: doc.TimesUpdated}
		renamed := renameFiles(doc, renames)
		if len(renamed) == 0 {
			return nil, nil
		}
		paths, err = w.saveReviewed(m, doc, "Renamed related files: "+strings.Join(renamed, ", "))
		if err == nil {
			done.Status = "updated"
		}
		return paths, err
	})
	return done, err
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

// saveReviewed writes a memory, without private text, and adds an entry to its history unless that is
// git's.
func (w *Writer) saveReviewed(m *memory, doc *schemas.Memory, summary string) ([]string, error) {
	if !w.Config.Git.History {
		if err := m.addChange(doc, schemas.Change{Date: w.now(), Summary: cut(summary)}); err != nil {
			return nil, err
		}
	}
	if err := checkTitle(doc, w.redact(doc)); err != nil {
		return nil, err
	}
	data, err := encodeValid(doc)
	if err != nil {
		return nil, err
	}
	return m.replace(data, m.place)
}
