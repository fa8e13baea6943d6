package review

import (
	"context"
	"fmt"

	"memctl/writer"
)

// Fix is what becomes of the renamed files of one memory.
type Fix struct {
	ID      string          `json:"id"`
	Path    string          `json:"path"`
	Renames []writer.Rename `json:"renames"`
	Done    bool            `json:"done"`
	Error   string          `json:"error,omitempty"` // why it was not done
}

// Fixes are the fixes of a report: the new names of related files.
func (r Report) Fixes() []Fix {
	list, of := []Fix{}, map[string]int{}
	for _, f := range r.Findings {
		if f.Kind != Renamed {
			continue
		}
		at, known := of[f.Path]
		if !known {
			at = len(list)
			of[f.Path] = at
			list = append(list, Fix{ID: f.ID, Path: f.Path})
		}
		list[at].Renames = append(list[at].Renames, writer.Rename{From: f.Files[0], To: f.RenamedTo})
	}
	return list
}

// Apply writes fixes. An error of one memory does not stop the others.
func Apply(ctx context.Context, w *writer.Writer, fixes []Fix) (failed int, err error) {
	for i := range fixes {
		f := &fixes[i]
		saved, err := w.RenameFiles(ctx, f.Path, f.Renames)
		switch {
		case ctx.Err() != nil:
			return failed, ctx.Err()
		case err != nil:
			f.Error = err.Error()
			failed++
		case saved.Status == "unchanged":
			f.Error = fmt.Sprintf("%s no longer has the related files", f.Path)
			failed++
		default:
			f.Done = true
		}
	}
	return failed, nil
}
