package writer

import (
	"context"

	"memctl/schemas"
)

// Undo puts a memory's file back as it was before a change: its path and its bytes, nil for a
// file that the change made. Hash is the MD5 of the file as the change left it: a file that has
// changed since stays.
func (w *Writer) Undo(ctx context.Context, target, hash, path string, before []byte) error {
	return w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		if err := w.checkHash(m, hash); err != nil {
			return nil, err
		}
		if before == nil {
			return []string{m.path()}, m.folder.Remove(m.file())
		}
		to, err := w.placeOfPath(path)
		if err != nil {
			return nil, err
		}
		return m.replace(before, to)
	})
}

// BringBack replaces what a memory says with an earlier version of it. Its identity, status and
// history stay, and the history gets an entry with the summary. Hash is the MD5 of the file that
// the person was shown.
func (w *Writer) BringBack(
	ctx context.Context, target, hash string, version *schemas.Memory, summary string,
) (Saved, error) {
	var done Saved
	err := w.lockedMemory(ctx, target, UpdateError, func(m *memory) ([]string, error) {
		if err := w.checkHash(m, hash); err != nil {
			return nil, err
		}
		now, err := m.decode()
		if err != nil {
			return nil, err
		}
		keepFields(now, version, m.place)
		version.Set("changes", now.Get("changes"))
		version.UpdatedAt, version.TimesUpdated = w.now(), max(0, now.TimesUpdated)+1
		if w.Config.Git.History {
			leaveHistory(now, version)
		}
		paths, err := w.saveReviewed(m, version, summary)
		done = Saved{Status: "updated", Target: m.shown, ID: m.stem, Title: version.Title, TimesUpdated: version.TimesUpdated}
		return paths, err
	})
	return done, err
}
