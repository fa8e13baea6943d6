package review

import "memctl/schemas"

// Fix is what becomes of the renamed files of one memory.
type Fix struct {
	ID      string           `json:"id"`
	Path    string           `json:"path"`
	Renames []schemas.Rename `json:"renames"`
	Done    bool             `json:"done"`
	Error   string           `json:"error,omitempty"` // why it was not done
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
		list[at].Renames = append(list[at].Renames, schemas.Rename{From: f.Files[0], To: f.RenamedTo})
	}
	return list
}
