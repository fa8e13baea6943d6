package retrieve

import (
	"context"
	"fmt"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// unconvincing is how many memories may rank above one that is injected although
// they have too little evidence.
const unconvincing = 100

// Explanation says what the prompt hook would inject for a prompt, and why.
type Explanation struct {
	Prompt   string      `json:"prompt"`
	Strategy string      `json:"strategy"`
	Tokens   []string    `json:"tokens"`
	Terms    *text.Terms `json:"terms,omitempty"`  // of hybrid, in place of tokens
	Silent   string      `json:"silent,omitempty"` // why the hook does not search at all
	Injected []Explained `json:"injected"`
	LeftOut  []Explained `json:"left_out"`
}

// Explained is one memory of an explanation.
type Explained struct {
	Found
	Text        int            `json:"text"`
	Description int            `json:"description"`
	Recency     int            `json:"recency"`
	Gate        *Gate          `json:"gate,omitempty"` // of hybrid
	Because     []Contribution `json:"because"`
	LeftOut     string         `json:"left_out,omitempty"` // why; "" if it is injected
}

// Gate compares the evidence for a memory with what retrieval.hybrid.min_evidence
// demands.
type Gate struct {
	Evidence float64 `json:"evidence"`
	Needed   float64 `json:"needed"`
}

// Passed reports whether the memory is relevant enough.
func (g Gate) Passed() bool { return g.Evidence >= g.Needed }

// Explain ranks the memories of every status for a prompt and gives the reasons. It
// lists at most leftOut memories that the hook would not inject.
func (s Searcher) Explain(ctx context.Context, root memdir.Root, prompt string, leftOut int) (Explanation, error) {
	limit := s.Config.Retrieval.MaxInject
	q := s.Query(prompt, max(limit, 1))
	e := Explanation{
		Prompt:   prompt,
		Strategy: s.Config.Retrieval.MatchStrategy,
		Tokens:   notNil(q.Tokens),
		Silent:   s.Silence(prompt, q),
	}
	wide := q
	wide.Statuses = schemas.Statuses
	wide.Limit = limit + max(leftOut, 1)
	if q.Strategy == schemas.Hybrid {
		e.Terms = &text.Terms{Topics: notNil(q.Terms.Topics), Common: notNil(q.Terms.Common), Plain: notNil(q.Terms.Plain), Pairs: notNil(q.Terms.Pairs)}
		wide.Limit += unconvincing
	}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		results, err := Source{DB: ix.DB, Root: root}.Fresh(ctx, wide)
		if err != nil {
			return err
		}
		because, err := Explain(ctx, ix.DB, q, results)
		e.fill(s.Config.Retrieval, root, results, because, leftOut)
		return err
	})
	return e, err
}

// fill divides the results into those that are injected and those that are not.
func (e *Explanation) fill(cfg schemas.RetrievalConfig, root memdir.Root, results []Result, because map[string][]Contribution, leftOut int) {
	e.Injected, e.LeftOut = []Explained{}, []Explained{}
	found := ListFound(root, results)
	for i, r := range results {
		x := Explained{Found: found[i], Text: r.Text, Description: r.Desc, Recency: r.Recent, Because: notNil(because[r.Path])}
		if cfg.MatchStrategy == schemas.Hybrid {
			x.Gate = &Gate{r.Evidence, cfg.Hybrid.MinEvidence}
		}
		switch {
		case r.Status != schemas.Active:
			x.LeftOut = "it is " + string(r.Status)
		case e.Silent != "":
			x.LeftOut = e.Silent
		case x.Gate != nil && !x.Gate.Passed():
			x.LeftOut = "too little evidence (retrieval.hybrid.min_evidence)"
		case len(e.Injected) == cfg.MaxInject:
			x.LeftOut = fmt.Sprintf("it ranks below the first %d (retrieval.max_inject)", cfg.MaxInject)
		}
		if x.LeftOut == "" {
			e.Injected = append(e.Injected, x)
		} else if len(e.LeftOut) < leftOut {
			e.LeftOut = append(e.LeftOut, x)
		}
	}
}

// notNil makes JSON say [] for no elements.
func notNil[T any](list []T) []T { return append([]T{}, list...) }
