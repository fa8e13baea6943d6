package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/privacy"
	"memctl/schemas"
)

// ScrubbedFile is a file of observations, or one that was set aside, that had something
// private or secret.
type ScrubbedFile struct {
	Path    string         `json:"path"`
	Privacy privacy.Report `json:"privacy"`
}

var (
	errNoFile = errors.New("no such file")
	errInUse  = fmt.Errorf(
		"it was written to less than %s ago, and a session may go on; run scrub again then", observe.InUse)
)

// isObservations reports whether a path below the root lies in the folder of observations.
func isObservations(at string) bool { return strings.HasPrefix(at, memdir.SessionsFolder+"/") }

// everySession lists the files of observations.
func (w *Writer) everySession() (paths []string, err error) {
	files, err := w.Root.SessionFiles()
	for _, f := range files {
		paths = append(paths, f.Path())
	}
	return paths, err
}

// scrubOther filters a file of observations or one that was set aside.
func (w *Writer) scrubOther(ctx context.Context, s *Scrubbing, at string) error {
	return w.locked(ctx, ScrubError, func() ([]string, error) {
		limit, filter, done := int64(schemas.MaxFileBytes), w.scrubAside, &s.Aside
		if isObservations(at) {
			limit, filter, done = memdir.MaxSessionFile, w.scrubSession, &s.Sessions
			if paths, err := w.everySession(); err != nil || !slices.Contains(paths, at) {
				return nil, errors.Join(err, errNoFile)
			}
		}
		folder, err := w.Root.OpenFolder(path.Dir(at))
		if err != nil {
			return nil, err
		}
		if folder == nil {
			return nil, errNoFile
		}
		defer folder.Close()
		folder.Step = w.step
		data, stat, err := folder.ReadUpTo(path.Base(at), limit)
		if err != nil {
			return nil, err
		}
		scrubbed, r, err := filter(at, data, stat)
		if err != nil || bytes.Equal(scrubbed, data) {
			return nil, err
		}
		if !s.DryRun {
			err = folder.Replace(path.Base(at), scrubbed)
			if err == nil && isObservations(at) { // gc goes by the time of the last write
				err = folder.SetTime(path.Base(at), time.Unix(0, stat.MtimeNS))
			}
		}
		if err == nil {
			s.Privacy.Add(r)
			*done = append(*done, ScrubbedFile{at, r})
		}
		return nil, err // readers find the new file by themselves
	})
}

// scrubSession filters a file of observations. It refuses one that a hook may still append
// to, because such a line would be lost.
func (w *Writer) scrubSession(at string, data []byte, stat memdir.Stat) ([]byte, privacy.Report, error) {
	scrubbed, r := observe.Scrub(data, w.Filter())
	for _, warning := range r.Warnings {
		w.warnOf(at, "%s", warning)
	}
	if !bytes.Equal(scrubbed, data) && w.Now().Sub(time.Unix(0, stat.MtimeNS)) < observe.InUse {
		return nil, r, errInUse
	}
	return scrubbed, r, nil
}

// scrubAside filters a file that was set aside, by its fields if it is a JSON object, else
// as text.
func (w *Writer) scrubAside(_ string, data []byte, _ memdir.Stat) ([]byte, privacy.Report, error) {
	m, err := schemas.DecodeExact(data)
	if err != nil {
		text, r := w.Filter().Lines(string(data))
		return []byte(text), r, nil
	}
	r := privacy.Sum(m.Redact(w.Filter()))
	if !r.Found() {
		return data, r, nil
	}
	scrubbed, err := m.Encode()
	return scrubbed, r, err
}
