package web

import (
	"errors"
	"slices"

	"memctl/schemas"
	"memctl/writer"
)

// conflict says what has changed in a file since it was shown.
type conflict struct {
	Fields []changeView
	// Unknown is set if memctl does not remember the file as it was shown.
	Unknown bool
}

// isConflict reports whether a change was refused because the file has changed.
func isConflict(err error) bool {
	var refused *writer.Error
	return errors.As(err, &refused) && refused.Code == writer.OCCConflict
}

// conflictSince compares the file as it was shown with what it says now.
func (s *Server) conflictSince(hash string, now *schemas.Memory) *conflict {
	shown := s.shown.get(hash)
	if shown == nil {
		return &conflict{Unknown: true}
	}
	before, err := schemas.DecodeDraft(shown)
	if err != nil {
		return &conflict{Unknown: true}
	}
	return &conflict{Fields: differences(before, now)}
}

// differences lists the fields that differ, those of the content by their own names.
func differences(before, after *schemas.Memory) []changeView {
	var list []changeView
	compare := func(prefix string, a, b map[string]any) {
		names := sortedKeys(a)
		names = append(names, sortedKeys(b)...)
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if slices.Contains([]string{"content", "changes", "updated_at", "times_updated"}, name) {
				continue
			}
			if old, now := plainValue(a[name]), plainValue(b[name]); old != now {
				v := changeView{Field: prefix + name}
				v.Before, v.After = diff(old, now)
				list = append(list, v)
			}
		}
	}
	compare("", before.Values(), after.Values())
	compare("content.", before.ContentValues(), after.ContentValues())
	return list
}
