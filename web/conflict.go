package web

import (
	"errors"

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
func differences(before, after *schemas.Memory) (list []changeView) {
	for _, d := range schemas.Differences(before, after) {
		if old, now := plainValue(d.Old), plainValue(d.New); old != now && !d.Routine() {
			v := changeView{Field: d.Field}
			v.Before, v.After = diff(old, now)
			list = append(list, v)
		}
	}
	return list
}
