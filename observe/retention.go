package observe

import (
	"cmp"
	"slices"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

// InUse is how long after its last change a file belongs to a running session.
const InUse = time.Hour

// Removed is what Collect removed, or would remove in a dry run.
type Removed struct {
	Files []string `json:"files"` // relative to the root
	Bytes int64    `json:"bytes"`
	// Failed holds the reason for each file that could not be removed.
	Failed map[string]string `json:"failed,omitempty"`
}

// Collect removes whole files of sessions: those older than the retention, then the
// oldest until the rest is within the size limit.
func Collect(root memdir.Root, settings schemas.ObservationsConfig, now time.Time, dryRun bool) (Removed, error) {
	r := Removed{Files: []string{}}
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return r, err
	}
	defer sessions.Close()
	files, err := sessions.List()
	if err != nil {
		return r, err
	}
	for _, f := range due(files, settings, now) {
		if !dryRun {
			if err := sessions.Remove(f.Name); err != nil {
				if r.Failed == nil {
					r.Failed = map[string]string{}
				}
				r.Failed[f.Path()] = err.Error()
				continue
			}
		}
		r.Files = append(r.Files, f.Path())
		r.Bytes += f.Size
	}
	return r, nil
}

// due returns the files to remove, the oldest first. A file is in use if it was
// written in the last hour, or in the future by a clock that went back since.
func due(files []memdir.SessionFile, settings schemas.ObservationsConfig, now time.Time) []memdir.SessionFile {
	slices.SortFunc(files, func(a, b memdir.SessionFile) int { return cmp.Compare(a.MtimeNS, b.MtimeNS) })
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	var list []memdir.SessionFile
	for _, f := range files {
		age := now.Sub(time.Unix(0, f.MtimeNS))
		old := settings.RetentionDays > 0 && age >= time.Duration(settings.RetentionDays)*24*time.Hour
		over := settings.MaxMB > 0 && total > int64(settings.MaxMB)*1_000_000
		if age < InUse || !old && !over {
			continue
		}
		list = append(list, f)
		total -= f.Size
	}
	return list
}
