package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/writer"
)

// Answer is what a person decides about a finding, in one word.
type Answer string

// The answers. A finding that needs other words than these needs an edit of the memory.
const (
	Confirm Answer = "confirm" // it still holds; a renamed file gets its new name
	Retire  Answer = "retire"
)

// Answers lists what ends a finding. What says the same as another memory is merged or linked, by an edit.
func (f Finding) Answers() (list []Answer) {
	if slices.Contains([]Kind{Renamed, Vanished, Changed, Open, Unused}, f.Kind) {
		list = append(list, Confirm)
	}
	if !slices.Contains([]Kind{Renamed, Similar, Tags}, f.Kind) {
		list = append(list, Retire)
	}
	return list
}

// Settle does what a person answered.
func (f Finding) Settle(ctx context.Context, w *writer.Writer, a Answer) error {
	if !slices.Contains(f.Answers(), a) {
		return fmt.Errorf("a finding of kind %s cannot be answered by %q", f.Kind, a)
	}
	var err error
	switch {
	case a == Retire:
		_, err = w.Move(ctx, writer.Retire, f.Path, f.Reason)
	case f.Kind == Renamed:
		_, err = w.RenameFiles(ctx, f.Path, []schemas.Rename{f.rename()})
	default:
		_, err = w.Confirm(ctx, f.Path)
	}
	return err
}

// Further returns the evidence that the reason does not name.
func (f Finding) Further() []string {
	return slices.DeleteFunc(slices.Clone(f.Evidence), func(line string) bool { return strings.Contains(f.Reason, line) })
}

// rename is the new name of the only file of a finding of the kind Renamed.
func (f Finding) rename() schemas.Rename { return schemas.Rename{From: f.Files[0], To: f.RenamedTo} }
