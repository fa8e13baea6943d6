package writer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/privacy"
)

// ScrubbedSession is a file of observations of which something was taken out.
type ScrubbedSession struct {
	Path    string         `json:"path"`
	Privacy privacy.Report `json:"privacy"`
}

var errInUse = fmt.Errorf("it was written to less than %s ago, and a session may go on; run scrub again then", observe.InUse)

// sessionPath is the path of a file of observations below the root; false where the
// target is none.
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

// scrubSession filters a file of observations. What a hook might append to just
// now is left alone: its line would be lost.
func (w *Writer) scrubSession(ctx context.Context, s *Scrubbing, target string) error {
	return w.locked(ctx, ScrubError, nil, func() ([]string, error) {
		f, data, err := w.readSession(target)
		if err != nil {
			return nil, err
		}
		kept, r := observe.Scrub(data, w.Filter())
		if !r.Found() {
			return nil, nil
		}
		if w.Now().Sub(time.Unix(0, f.MtimeNS)) < observe.InUse {
			return nil, errInUse
		}
		if !s.DryRun {
			if err := w.replaceSession(f, kept); err != nil {
				return nil, err
			}
		}
		s.Privacy.Add(r)
		s.Sessions = append(s.Sessions, ScrubbedSession{f.Path(), r})
		return nil, nil
	})
}

func (w *Writer) readSession(target string) (f memdir.SessionFile, data []byte, err error) {
	sessions, err := w.Root.OpenSessions()
	if err != nil || sessions == nil {
		return f, nil, errors.Join(err, errors.New("no such file"))
	}
	defer sessions.Close()
	files, err := sessions.List()
	if err != nil {
		return f, nil, err
	}
	for _, f := range files {
		if f.Path() != target {
			continue
		}
		file, _, err := sessions.Open(f.Name)
		if err != nil {
			return f, nil, err
		}
		defer file.Close()
		data, err := io.ReadAll(file)
		return f, data, err
	}
	return f, nil, errors.New("no such file")
}

// replaceSession keeps the time by which gc goes.
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
