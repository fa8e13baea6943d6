package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"

	"memctl/db"
	"memctl/schemas"
)

// Explanation lists the memories that the prompt hook would inject for a prompt, and why.
type Explanation struct {
	Prompt   string   `json:"prompt"`
	Strategy string   `json:"strategy"`
	Tokens   []string `json:"tokens"`
	Terms    *Terms   `json:"terms,omitempty"`  // of hybrid, in place of tokens
	Silent   string   `json:"silent,omitempty"` // why the hook does not search at all
	// Roots are the roots that were asked, if there are several, and Frequencies say how
	// many memories all of them have, and how many have each term of hybrid.
	Roots       []string     `json:"roots,omitempty"`
	Frequencies *Frequencies `json:"frequencies,omitempty"`
	Had         bool         `json:"had,omitempty"` // the session already has some of them
	// Meaning says why the user's model had no part in it, "" if it had or there is none.
	Meaning  string      `json:"meaning,omitempty"`
	Injected []Explained `json:"injected"`
	LeftOut  []Explained `json:"left_out"`
}

// Terms are those that hybrid searches for.
type Terms struct {
	Words []string `json:"words"`
	Pairs []string `json:"pairs"`
}

// Explained is one memory of an explanation.
type Explained struct {
	Match
	Text        int            `json:"text"`
	Description int            `json:"description"`
	Recency     int            `json:"recency"`
	Gate        *Gate          `json:"gate,omitempty"` // of hybrid
	Because     []Contribution `json:"because"`
	LeftOut     string         `json:"left_out,omitempty"` // why; "" if it is injected
}

// Gate compares the strength of a memory with the least that a prompt's list demands.
type Gate struct {
	Strength float64 `json:"strength"`
	Needed   float64 `json:"needed"`
	// Cosine is that of the vectors of memory and prompt, if it is among the nearest by the user's model, and Place
	// its place among the first of them, which need less.
	Cosine *float64 `json:"cosine,omitempty"`
	Place  int      `json:"place,omitempty"`
}

// Passed reports whether the memory is relevant enough.
func (g Gate) Passed() bool { return g.Strength >= g.Needed }

// Explain ranks the memories of every status for a prompt and gives the reasons. It
// lists at most leftOut memories that the hook would not inject.
func (s Searcher) Explain(ctx context.Context, sources Sources, prompt string, leftOut int) (Explanation, error) {
	limit := s.Config.Retrieval.Limit()
	q := s.Prompt(prompt)
	q.Limit = max(limit, 1)
	e := Explanation{
		Prompt:   prompt,
		Strategy: s.Config.Retrieval.MatchStrategy,
		Tokens:   notNil(q.Tokens),
		Silent:   s.Silence(prompt, q),
	}
	wide := q
	wide.Statuses = schemas.Statuses
	wide.Ungated = true
	wide.Limit = limit + max(leftOut, 1)
	if q.Strategy == schemas.Hybrid {
		e.Terms = &Terms{Words: notNil(q.Terms.Unpaired()), Pairs: notNil(q.Terms.Pairs)}
	}
	if len(sources) > 1 {
		for _, source := range sources {
			e.Roots = append(e.Roots, source.Root.Shown)
		}
	}
	results, err := sources.fresh(ctx, wide, sources.overridden)
	if err != nil {
		return e, err
	}
	if len(q.Off) > 0 {
		wide.Off, wide.Categories = nil, q.Off
		off, err := sources.fresh(ctx, wide, sources.overridden)
		if err != nil {
			return e, err
		}
		results = append(results, off...)
		slices.SortStableFunc(results, stronger)
	}
	if q.Meaning != nil && q.Meaning.Err() != nil {
		e.Meaning = q.Meaning.Err().Error()
	}
	because, err := sources.Explain(ctx, q, results)
	e.fill(s, sources, results, because, leftOut)
	if err == nil && len(sources) > 1 && q.Strategy == schemas.Hybrid {
		e.Frequencies, err = sources.frequencies(ctx, q)
	}
	return e, err
}

// fill divides the results into those that are injected and those that are not.
func (e *Explanation) fill(
	s Searcher, sources Sources, results []Result, because map[string][]Contribution, leftOut int,
) {
	cfg := s.Config.Retrieval
	e.Injected, e.LeftOut = []Explained{}, []Explained{}
	shared, again := 0, 0
	for i, match := range ListFound(results) {
		r := results[i]
		x := Explained{
			Match: match, Text: r.Text, Description: r.Desc, Recency: r.Recent, Because: notNil(because[match.Path]),
		}
		if cfg.MatchStrategy == schemas.Hybrid {
			x.Gate = &Gate{Strength: r.Strength, Needed: r.Needed, Cosine: r.Cosine, Place: r.NearRank}
		}
		switch {
		case r.Status != schemas.Active:
			x.LeftOut = "it is " + string(r.Status)
		case cfg.MatchStrategy == schemas.Hybrid && !s.Config.Categories[r.Category].Enabled:
			x.LeftOut = fmt.Sprintf("its category is switched off (categories.%s.enabled)", r.Category)
		case e.Silent != "":
			x.LeftOut = e.Silent
		case r.Place > 1:
			x.LeftOut = "it is for " + r.Folder + ", another folder of the project"
		case r.Overridden != "":
			x.LeftOut = r.Overridden + " stands in its place"
		case x.Gate != nil && !x.Gate.Passed():
			x.LeftOut = "it is too weak (retrieval.hybrid.min_strength)"
		case s.Loaded != nil && s.Loaded(r):
			x.LeftOut = "loaded: it is in a file that Claude Code loads by itself (retrieval.repeat_loaded)"
		case shared == cfg.UserShare && sources.shares(r):
			x.LeftOut = fmt.Sprintf("only %d may come from other roots than %s (retrieval.user_share)",
				cfg.UserShare, sources[0].Root.Shown)
		case len(e.Injected)+again == cfg.Limit():
			x.LeftOut = fmt.Sprintf("it ranks below the first %d (retrieval.max_inject)", cfg.Limit())
		}
		if x.LeftOut == "" && s.Had[r.Version()] {
			x.LeftOut = "the session already has it (retrieval.once_a_session)"
			again++
			e.Had = true
		}
		if x.LeftOut == "" {
			e.Injected = append(e.Injected, x)
			if sources.shares(r) {
				shared++
			}
		} else if len(e.LeftOut) < leftOut {
			e.LeftOut = append(e.LeftOut, x)
		}
	}
}

// notNil makes JSON say [] for no elements.
func notNil[T any](list []T) []T { return append([]T{}, list...) }

var (
	//go:embed explain.sql
	explainSQL string
	//go:embed hybrid_explain.sql
	hybridExplainSQL string
)

// Contribution is the part of one memory's score that comes from one token or term of the prompt.
type Contribution struct {
	Path string `db:"path" json:"-"`
	// Kind is title, tag, prefix or description; for hybrid topic, common, plain, path, other or pair.
	Kind    string  `db:"kind" json:"kind"`
	Token   string  `db:"token" json:"token"`
	Matched string  `db:"matched" json:"matched"` // the title token, tag or description token it matched
	Points  float64 `db:"points" json:"points"`
}

// Explain returns, by the shown path, what each token or term of the prompt adds to the
// results of q.
func (s Sources) Explain(ctx context.Context, q Query, results []Result) (map[string][]Contribution, error) {
	byPath := map[string][]Contribution{}
	err := s.each(func(source Source) error {
		paths := []string{}
		for _, r := range results {
			if r.Root.Is(source.Root) {
				paths = append(paths, r.Path)
			}
		}
		statement, args := explainSQL, q.titleTagsArgs()
		if q.Strategy == schemas.Hybrid {
			w, err := q.plan(ctx, source.DB)
			if err != nil {
				return err
			}
			statement, args = hybridExplainSQL, []any{sql.Named("terms", w.explained()), sql.Named("pages", w.pages)}
		}
		args = append(args, sql.Named("paths", db.JSON(paths)))
		rows, err := db.Query[Contribution](ctx, source.DB, statement, args...)
		for _, row := range rows {
			path := source.Root.ShownPath(row.Path)
			byPath[path] = append(byPath[path], row)
		}
		return err
	})
	return byPath, err
}

// frequencies counts the memories of all sources that have each term of q.
func (s Sources) frequencies(ctx context.Context, q Query) (*Frequencies, error) {
	all := &Frequencies{Terms: map[string]int{}}
	err := s.each(func(source Source) error {
		terms := slices.Concat(q.Terms.Unpaired(), firstTerms(q.Terms.Pairs))
		f, err := frequenciesOf(ctx, source.DB, terms, q.mostHaving())
		all.Memories += f.Memories
		for term, n := range f.Terms {
			all.Terms[term] += n
		}
		return err
	})
	return all, err
}
