package writer

import (
	"context"
	"path"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
)

// asidePath returns the path below the root of a file that was set aside. It is false if
// the target is something else.
func (w *Writer) asidePath(target string) (string, bool) {
	below, err := w.Root.Below(target)
	return below, err == nil && memdir.IsAside(below)
}

// scrubAside filters a file that was set aside, by its fields if it is a JSON object, else
// as text.
func (w *Writer) scrubAside(ctx context.Context, s *Scrubbing, at string) error {
	return w.locked(ctx, ScrubError, func() ([]string, error) {
		folder, err := w.Root.OpenFolder(path.Dir(at))
		if err != nil {
			return nil, err
		}
		if folder == nil {
			return nil, errNoFile
		}
		defer folder.Close()
		data, _, err := folder.Read(path.Base(at))
		if err != nil {
			return nil, err
		}
		scrubbed, r, err := w.scrubbedText(data)
		if err != nil || !r.Found() {
			return nil, err
		}
		if !s.DryRun {
			folder.Step = w.step
			if err := folder.Replace(path.Base(at), scrubbed); err != nil {
				return nil, err
			}
		}
		s.Privacy.Add(r)
		s.Aside = append(s.Aside, ScrubbedFile{at, r})
		return nil, nil
	})
}

func (w *Writer) scrubbedText(data []byte) ([]byte, privacy.Report, error) {
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		text, r := w.Filter().Lines(string(data))
		return []byte(text), r, nil
	}
	r := privacy.Sum(doc.Redact(w.Filter()))
	scrubbed, err := doc.Encode()
	return scrubbed, r, err
}
