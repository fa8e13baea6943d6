package writer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/privacy"
)

// ScrubbedFile is a file of observations, or one that was set aside, that had something
// private or secret.
type ScrubbedFile struct {
	Path    string         `json:"path"`
	Privacy privacy.Report `json:"privacy"`
}

var (
	errNoFile = errors.New("no such file")
	errInUse  = fmt.Errorf("it was written to less than %s ago, and a session may go on; run scrub again then", observe.InUse)
)

// sessionPath returns the path below the root of a file of observations. It is false
// if the target is something else.
func (w *Writer) sessionPath(target string) (string, bool) {
	const folder = memdir.SessionsFolder + "/"
	if strings.HasPrefix(target, folder) {
		return target, true
	}
	below, err := w.Root.Below(target)
	return below, err == nil && strings.HasPrefix(below, folder)
}

// everySession lists the files of observations.
func (w *Writer) everySession() ([]string, error) {
	sessions, err := w.Root.OpenSessions()
	if sessions == nil {
		return nil, err
	}
	defer sessions.Close()
	files, err := sessions.List()
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path())
	}
	return paths, err
}

// scrubSession filters a file of observations. It refuses one that a hook may still
// append to, because such a line would be lost.
func (w *Writer) scrubSession(ctx context.Context, s *Scrubbing, path string) error {
	return w.locked(ctx, ScrubError, func() ([]string, error) {
		f, data, err := w.readSession(path)
		if err != nil {
			return nil, err
		}
		scrubbed, r := observe.Scrub(data, w.Filter())
		for _, warning := range r.Warnings {
			w.warnOf(path, "%s", warning)
		}
		if bytes.Equal(scrubbed, data) {
			return nil, nil
		}
		if w.Now().Sub(time.Unix(0, f.MtimeNS)) < observe.InUse {
			return nil, errInUse
		}
		if !s.DryRun {
			if err := w.replaceSession(f, scrubbed); err != nil {
				return nil, err
			}
		}
		s.Privacy.Add(r)
		s.Sessions = append(s.Sessions, ScrubbedFile{path, r})
		return nil, nil // readers find the new file by themselves
	})
}

func (w *Writer) readSession(path string) (f memdir.SessionFile, data []byte, err error) {
	sessions, err := w.Root.OpenSessions()
	if err != nil || sessions == nil {
		return f, nil, errors.Join(err, errNoFile)
	}
	defer sessions.Close()
	files, err := sessions.List()
	if err != nil {
		return f, nil, err
	}
	i := slices.IndexFunc(files, func(f memdir.SessionFile) bool { return f.Path() == path })
	if i < 0 {
		return f, nil, errNoFile
	}
	file, _, err := sessions.Open(files[i].Name)
	if err != nil {
		return f, nil, err
	}
	defer file.Close()
	data, err = memdir.ReadLimited(file, memdir.MaxSessionFile)
	return files[i], data, err
}

// replaceSession keeps the time of the last write, which decides when gc removes the
// file.
func (w *Writer) replaceSession(f memdir.SessionFile, data []byte) error {
	folder, err := w.Root.OpenFolder(memdir.SessionsFolder)
	if err != nil {
		return err
	}
	defer folder.Close()
	folder.Step = w.step
	if err := folder.Replace(f.Name, data); err != nil {
		return err
	}
	return folder.SetTime(f.Name, time.Unix(0, f.MtimeNS))
}
