package writer

import (
	"errors"
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
	doc, err := in.document()
	if err != nil {
		return s, err
	}
	p, data, withheld, err := w.newMemory(category, "", doc)
	if err != nil {
		return s, err
	}
	staging, err := w.Root.OpenStaging()
	if err != nil {
		return s, failed(StageError, "error", err.Error(), "fix", "hand the draft to memctl create or update right away")
	}
	defer func() { err = errors.Join(err, staging.Close()) }()
	staging.Sweep(memdir.DraftPrefix, w.Now().Add(-draftLife))
	s = Staged{Status: "staged", Category: category, ID: p.stem, Title: titleOf(doc), Privacy: withheld}
	s.Path, err = staging.Write(memdir.DraftPrefix+string(category)+"-"+p.stem+".json", string(data))
	return s, err
}
