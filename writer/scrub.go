package writer

import (
	"context"
	"crypto/md5"
	"fmt"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// Scrubbing is the answer of Scrub. Paths are relative to the root.
type Scrubbing struct {
	DryRun  bool           `json:"dry_run"`
	Looked  int            `json:"looked_at"`
	Changed []Scrubbed     `json:"changed"`
	Skipped []Skipped      `json:"skipped"`
	Privacy privacy.Report `json:"privacy"`
	// Sessions are the files of observations of which something was taken out.
	Sessions []ScrubbedSession `json:"sessions"`
}

// Scrubbed is a memory of which something was taken out.
type Scrubbed struct {
	Path      string          `json:"path"`
	RenamedTo string          `json:"renamed_to,omitempty"`
	Fields    []privacy.Field `json:"fields"`
}

// Scrub filters what is stored already: memories named by path or id, files of
// observations named by path, all of both where none is. updated_at stays, for what a memory says is no newer, and it
// is not held to its schema: what somebody wrote by hand must be possible to scrub.
func (w *Writer) Scrub(ctx context.Context, targets []string, dryRun bool, progress indexer.Progress) (Scrubbing, error) {
	s := Scrubbing{DryRun: dryRun, Changed: []Scrubbed{}, Skipped: []Skipped{}, Sessions: []ScrubbedSession{}}
	if len(targets) == 0 {
		var err error
		if targets, err = w.everyMemory(); err != nil {
			return s, err
		}
		sessions, err := w.everySession()
		if err != nil {
			s.Skipped = append(s.Skipped, Skipped{memdir.SessionsFolder, err.Error()})
		}
		targets = append(targets, sessions...)
	}
	return s, w.together(ctx, func() error {
		for i, target := range targets {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			var err error
			if path, ok := w.sessionPath(target); ok {
				err = w.scrubSession(ctx, &s, path)
			} else if err = w.scrub(ctx, &s, target); err == nil {
				s.Looked++
			}
			if err != nil {
				s.Skipped = append(s.Skipped, Skipped{target, reasonOf(err)})
			}
			if progress != nil {
				progress(i+1, len(targets))
			}
		}
		return nil
	})
}

// everyMemory lists the files, not the index: that leaves out broken ones.
func (w *Writer) everyMemory() ([]string, error) {
	var paths []string
	for _, info := range schemas.Categories {
		folder, err := w.Root.OpenFolder(info.Folder)
		if err != nil {
			return nil, err
		}
		if folder == nil {
			continue
		}
		names, err := list(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			paths = append(paths, info.Folder+"/"+name)
		}
	}
	return paths, nil
}

func list(folder *memdir.Folder) ([]string, error) {
	defer folder.Close()
	return folder.List()
}

func (w *Writer) scrub(ctx context.Context, s *Scrubbing, target string) error {
	return w.lockedMemory(ctx, target, ScrubError, func(m *memory) ([]string, error) {
		doc, err := m.document()
		if err != nil {
			return nil, err
		}
		title := titleOf(doc)
		fields := w.protect(doc)
		sum := privacy.Sum(fields)
		w.warnOfFields(m.path()+": ", fields)
		if !sum.Found() {
			return nil, nil
		}
		to, err := w.scrubbedName(m, title, doc)
		if err != nil {
			return nil, err
		}
		done := Scrubbed{Path: m.path(), Fields: fields}
		if to.stem != m.stem {
			done.RenamedTo = to.path()
		}
		data, err := w.scrubbedData(m, doc, to, sum)
		var paths []string
		if err == nil && !s.DryRun {
			paths, err = m.replace(data, to)
		}
		if err == nil {
			s.Privacy.Add(sum)
			s.Changed = append(s.Changed, done)
		}
		return paths, err
	})
}

// scrubbedName is another name for a file that was named by a title of which
// something was taken out: the name holds it too.
func (w *Writer) scrubbedName(m *memory, before string, doc schemas.Document) (place, error) {
	after := titleOf(doc)
	if after == before || m.stem != text.Slug(before) {
		return m.place, nil
	}
	if privacy.OnlyMarkers(after) {
		sum := md5.Sum(m.data) // tells nobody anything, and keeps names apart
		after = fmt.Sprintf("Scrubbed %s %x", m.category, sum[:4])
		doc["title"] = after
	}
	return w.freeName(m, text.Slug(after))
}

// scrubbedData is the file that is to be, with a line in its history. One that would
// be no memory any more for want of a word, as a pattern of the user's can make it, is
// refused.
func (w *Writer) scrubbedData(m *memory, doc schemas.Document, to place, sum privacy.Report) ([]byte, error) {
	changes, isList := doc["changes"].([]any)
	if !isList && doc["changes"] != nil {
		return nil, unreadable(m.place, errChanges)
	}
	entry := map[string]any{"date": w.now(), "summary": cut("Scrubbed: " + sum.String())}
	doc["changes"] = latest(append(changes, entry))
	if to.stem != m.stem {
		doc["id"] = to.stem
	}
	data, err := encode(doc)
	if err != nil || len(schemas.Validate(m.data)) > 0 {
		return data, err
	}
	if spoilt := schemas.Validate(data); len(spoilt) > 0 {
		return nil, fmt.Errorf("it would be no memory any more: %s: expected %s; mend it by hand, or privacy.excludePatterns", spoilt[0].Field, spoilt[0].Expected)
	}
	return data, nil
}
