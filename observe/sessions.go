package observe

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"memctl/files"
	"memctl/schemas"
)

// InUse is how long after its last change a file belongs to a running session.
const InUse = time.Hour

// Removed lists the files that Collect removed, or would remove in a dry run.
type Removed struct {
	Files []string `json:"files"` // relative to the root
	Bytes int64    `json:"bytes"`
	// Failed holds the reason for each file that could not be removed.
	Failed map[string]string `json:"failed,omitempty"`
}

// Collect removes whole files of sessions: those older than the retention, then the
// oldest until the rest is within the size limit.
func Collect(root files.Root, settings schemas.ObservationsConfig, now time.Time, dryRun bool) (Removed, error) {
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
func due(list []files.SessionFile, settings schemas.ObservationsConfig, now time.Time) []files.SessionFile {
	slices.SortFunc(list, func(a, b files.SessionFile) int { return cmp.Compare(a.MtimeNS, b.MtimeNS) })
	total := int64(0)
	for _, f := range list {
		total += f.Size
	}
	var removable []files.SessionFile
	for _, f := range list {
		age := now.Sub(time.Unix(0, f.MtimeNS))
		old := settings.RetentionDays > 0 && age >= time.Duration(settings.RetentionDays)*24*time.Hour
		over := settings.MaxMB > 0 && total > int64(settings.MaxMB)*1_000_000
		if age < InUse || !old && !over {
			continue
		}
		removable = append(removable, f)
		total -= f.Size
	}
	return removable
}

// maxTail is how many bytes of a session's file are read for its last runs.
const maxTail = 1 << 20

// Last reads the observations at the end of a session's file. A missing file has
// none.
func Last(root files.Root, session string) ([]schemas.Observation, error) {
	var list []schemas.Observation
	err := readSession(root, session, maxTail, func(o schemas.Observation) { list = append(list, o) })
	return list, err
}

// Calls returns the ids of the calls whose runs a session's file holds.
func Calls(root files.Root, session string) (map[string]bool, error) {
	ids := map[string]bool{}
	err := readSession(root, session, files.MaxSessionFile, func(o schemas.Observation) {
		ids[o.Payload.Metadata.ToolUseID] = true
	})
	return ids, err
}

// readSession passes the observations in the last bytes of a session's file to use.
func readSession(root files.Root, session string, atMost int64, use func(schemas.Observation)) error {
	sessions, err := root.OpenSessions()
	if sessions == nil {
		return err
	}
	defer sessions.Close()
	file, size, err := sessions.Open(SessionFile(session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	start := max(0, size-atMost)
	_, err = files.Lines(io.NewSectionReader(file, start, size-start), func(_ int64, line []byte) error {
		if o, _, _, err := schemas.DecodeObservation(bytes.TrimSpace(line)); err == nil {
			use(o)
		}
		return nil
	})
	return err
}

// CheckReadable returns an error if the observations of a root cannot be read. An
// index that finds none does not tell the two apart.
func CheckReadable(root files.Root) error {
	if _, err := root.SessionFiles(); err != nil {
		return fmt.Errorf("read %s: %w", files.SessionsFolder, err)
	}
	return nil
}
