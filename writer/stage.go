package writer

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

// Staged is the answer of Stage.
type Staged struct {
	Status   string           `json:"status"`
	Path     string           `json:"path"`
	Category schemas.Category `json:"category"`
	ID       string           `json:"id"`
	Title    string           `json:"title"`
	Privacy  *Withheld        `json:"privacy,omitempty"`
}

// draftLife is how long drafts stay in the staging folder: for as long as a session may
// need them.
const draftLife = 24 * time.Hour

// Stage checks and fixes a draft as Create does and writes it to the staging folder,
// under its id if it has one, or else under the slug of its title.
func (w *Writer) Stage(category schemas.Category, in Input) (s Staged, err error) {
	doc, err := in.decode()
	if err != nil {
		return s, err
	}
	p, data, withheld, err := w.newMemory(category, "", doc)
	if err != nil {
		return s, err
	}
	s = Staged{Status: "staged", Category: category, ID: p.stem, Title: doc.Title, Privacy: withheld}
	err = w.staging(func(staging *memdir.Staged) error {
		path, err := staging.Write(draftName(p.path()), string(data))
		s.Path = filepath.ToSlash(path) // an agent names it in a shell, which takes backslashes away
		return err
	})
	return s, err
}

// staging opens the staging folder for drafts and removes old ones.
func (w *Writer) staging(use func(*memdir.Staged) error) error {
	staging, err := w.Root.OpenStaging()
	if err != nil {
		return refuse(StageError, "", err.Error(), "hand the draft to memctl create or update right away")
	}
	staging.Sweep(memdir.DraftPrefix, w.Now().Add(-draftLife))
	return errors.Join(use(staging), staging.Close())
}

// draftName is the name of the draft for a memory at a path below the root.
func draftName(at string) string {
	category, _ := schemas.CategoryOfPath(at)
	return memdir.DraftPrefix + string(category) + "-" + path.Base(at)
}

// Stage writes memories of a batch to the staging folder, as drafts, and leaves out none.
func (b *Batch) Stage(ctx context.Context, list []New) (staged int, err error) {
	if len(list) == 0 {
		return 0, nil
	}
	err = b.w.staging(func(staging *memdir.Staged) error {
		for _, m := range list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := staging.Write(draftName(m.Path), string(m.Data)); err != nil {
				return err
			}
			staged++
		}
		return nil
	})
	return staged, err
}
