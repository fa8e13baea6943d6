package retrieve

import (
	"context"
	"fmt"

	"memctl/memdir"
	"memctl/schemas"
)

// Proposal is the memory that new information is about, if there is one, with what
// may be done to it.
type Proposal struct {
	Candidate *Proposed `json:"candidate"`
	Verdict
}

// Proposed describes a candidate by its file, which has the tags as they were
// written.
type Proposed struct {
	ID   string `json:"-"`
	Path string `json:"path"`
	// Scope says whose memory it is.
	Scope   memdir.Scope `json:"scope,omitempty"`
	Title   string       `json:"title"`
	Tags    []string     `json:"tags"`
	Excerpt Excerpt      `json:"excerpt"`
}

// Propose finds the candidate among the memories of a category and judges what may
// be done. The event is one of LifecycleEvents, or "".
func (s Sources) Propose(ctx context.Context, searcher Searcher, category schemas.Category, info, event string) (Proposal, error) {
	found, err := s.Candidate(ctx, searcher, category, info)
	if err != nil {
		return Proposal{}, err
	}
	p := Proposal{Verdict: Judge(category, event, found)}
	if found != nil {
		p.Candidate, err = proposed(*found)
	}
	return p, err
}

func proposed(r Result) (*Proposed, error) {
	data, err := r.Root.ReadFile(r.Path)
	if err != nil {
		return nil, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.ID, err)
	}
	e := NewExcerpt(m, r.Category)
	return &Proposed{r.ID, r.shown(r.Root).Path, r.Root.Scope, r.Title, e.Tags, e}, nil
}
