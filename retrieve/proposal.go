package retrieve

import (
	"context"
	"fmt"

	"memctl/indexer"
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
	Path    string   `json:"path"`
	Title   string   `json:"title"`
	Tags    []string `json:"tags"`
	Excerpt Excerpt  `json:"excerpt"`
}

// Propose finds the candidate among the memories of a category and judges what may
// be done. The event is one of LifecycleEvents, or "".
func Propose(ctx context.Context, root memdir.Root, category schemas.Category, info, event string) (Proposal, error) {
	var results []Result
	err := indexer.Use(ctx, root, indexer.Quick, func(ix *indexer.Index) (err error) {
		results, err = Source{DB: ix.DB, Root: root}.Fresh(ctx, NewCandidateQuery(category, info))
		return err
	})
	if err != nil {
		return Proposal{}, err
	}
	found := Candidate(results)
	p := Proposal{Verdict: Judge(category, event, found)}
	if found == nil {
		return p, nil
	}
	if p.Candidate, err = proposed(root, *found); err != nil {
		return p, fmt.Errorf("%s: %w", found.Path, err)
	}
	return p, nil
}

func proposed(root memdir.Root, r Result) (*Proposed, error) {
	data, err := root.ReadFile(r.Path)
	if err != nil {
		return nil, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return nil, err
	}
	e := NewExcerpt(m, r.Category)
	return &Proposed{root.Shown + "/" + r.Path, r.Title, e.Tags, e}, nil
}
