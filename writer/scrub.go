package writer

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/indexer"
	"memctl/observe"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Scrubbing is the answer of Scrub. Paths are relative to the root.
type Scrubbing struct {
	DryRun   bool           `json:"dry_run"`
	Looked   int            `json:"looked_at"` // memories
	Changed  []Scrubbed     `json:"changed"`
	Skipped  []Skipped      `json:"skipped"`
	Privacy  privacy.Report `json:"privacy"`
	Sessions []ScrubbedFile `json:"sessions"`
	Aside    []ScrubbedFile `json:"aside"`
}

// Scrubbed is a memory that had something private or secret.
type Scrubbed struct {
	Path      string          `json:"path"`
	RenamedTo string          `json:"renamed_to,omitempty"`
	Fields    []privacy.Field `json:"fields"`
}

// Scrub removes private text and secrets from what is stored already. Targets are
// memories, by path or id, and by path files of observations and files that were set
// aside; without targets it is all of them. It leaves updated_at as it is, because the
// memory says nothing new, and also scrubs files that are not valid memories. After each
// target it calls progress, unless that is nil.
func (w *Writer) Scrub(
	ctx context.Context, targets []string, dryRun bool, progress indexer.Progress,
) (Scrubbing, error) {
	s := Scrubbing{
		DryRun: dryRun, Changed: []Scrubbed{}, Skipped: []Skipped{},
		Sessions: []ScrubbedFile{}, Aside: []ScrubbedFile{},
	}
	if len(targets) == 0 {
		var err error
		if targets, err = w.Root.MemoryPaths(); err != nil {
			return s, err
		}
		sessions, err := w.everySession()
		if err != nil {
			s.Skipped = append(s.Skipped, Skipped{files.SessionsFolder, err.Error()})
		}
		aside, err := w.Root.Asides()
		if err != nil {
			s.Skipped = append(s.Skipped, Skipped{".", err.Error()})
		}
		targets = slices.Concat(targets, sessions, aside)
	}
	skipped, err := w.each(ctx, targets, func(i int) error {
		if progress != nil {
			defer progress(i+1, len(targets))
		}
		at := targets[i]
		if below, err := w.Root.Below(at); err == nil && !isObservations(at) {
			at = below
		}
		if isObservations(at) || files.IsAside(at) {
			return w.scrubOther(ctx, &s, at)
		}
		err := w.scrub(ctx, &s, targets[i])
		if err == nil {
			s.Looked++
		}
		return err
	})
	s.Skipped = append(s.Skipped, skipped...)
	return s, err
}

func (w *Writer) scrub(ctx context.Context, s *Scrubbing, target string) error {
	return w.lockedMemory(ctx, target, ScrubError, func(m *memory) (changed []string, err error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		title := doc.Title
		fields := w.redact(doc)
		sum := privacy.Sum(fields)
		w.warnOfFields(m.path()+": ", fields)
		if !sum.Found() {
			return nil, nil
		}
		to, err := w.scrubbedName(m, title, doc)
		if err != nil {
			return nil, err
		}
		data, err := w.scrubbedData(m, doc, to, sum)
		if err == nil && !s.DryRun {
			changed, err = m.replace(data, to)
		}
		if err != nil {
			return changed, err
		}
		scrubbed := Scrubbed{Path: m.path(), Fields: fields}
		if to.stem != m.stem {
			scrubbed.RenamedTo = to.path()
		}
		s.Privacy.Add(sum)
		s.Changed = append(s.Changed, scrubbed)
		return changed, nil
	})
}

// scrubbedName returns where a memory goes. If the file has its name from a title
// that was redacted, the name says the same and is changed too.
func (w *Writer) scrubbedName(m *memory, before string, doc *schemas.Memory) (place, error) {
	after := doc.Title
	if after == before || m.stem != text.Slug(before) {
		return m.place, nil
	}
	if privacy.OnlyMarkers(after) {
		sum := md5.Sum(m.data) // keeps such names apart and reveals nothing
		after = fmt.Sprintf("Scrubbed %s %x", m.category, sum[:4])
		doc.Title = after
	}
	return w.freeName(m, text.Slug(after))
}

// scrubbedData returns the new file, with an entry in its history. It refuses to
// make a valid memory invalid, which a user's pattern can do.
func (w *Writer) scrubbedData(m *memory, doc *schemas.Memory, to place, sum privacy.Report) ([]byte, error) {
	if err := m.addChange(doc, schemas.Change{Date: w.now(), Summary: cut("Scrubbed: " + sum.String())}); err != nil {
		return nil, err
	}
	if to.stem != m.stem {
		doc.ID = to.stem
	}
	data, err := encode(doc)
	if err != nil || len(schemas.Validate(m.data)) > 0 {
		return data, err
	}
	if violations := schemas.Validate(data); len(violations) > 0 {
		return nil, fmt.Errorf("it would no longer be a memory: %s: expected %s; fix it or privacy.excludePatterns "+
			"by hand",
			violations[0].Field, violations[0].Expected)
	}
	return data, nil
}

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
func isObservations(at string) bool { return strings.HasPrefix(at, files.SessionsFolder+"/") }

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
		limit, filter, list := int64(schemas.MaxFileBytes), w.scrubAside, &s.Aside
		if isObservations(at) {
			limit, filter, list = files.MaxSessionFile, w.scrubSession, &s.Sessions
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
			*list = append(*list, ScrubbedFile{at, r})
		}
		return nil, err // readers find the new file by themselves
	})
}

// scrubSession filters a file of observations. It refuses one that a hook may still append
// to, because such a line would be lost.
func (w *Writer) scrubSession(at string, data []byte, stat files.Stat) ([]byte, privacy.Report, error) {
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
func (w *Writer) scrubAside(_ string, data []byte, _ files.Stat) ([]byte, privacy.Report, error) {
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
