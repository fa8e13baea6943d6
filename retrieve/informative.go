package retrieve

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"memctl/db"
	"memctl/text"
)

const (
	// maxSearched is how many terms of a prompt are searched for, the rarest first.
	maxSearched = 64
	// readable is how many memories a prompt may wait to be weighed. A store of no
	// more is never asked how frequent a word is.
	readable = 6000
)

// informative leaves of a prompt's terms those that tell memories apart: the
// rarest, and, where a prompt waits, of the words that stand in thousands of
// memories none. It asks the index only where the prompt is long or the store
// large.
func informative(ctx context.Context, d *db.DB, t text.Terms, waiting bool) (text.Terms, error) {
	var memories []int
	if err := d.Select(ctx, &memories, `SELECT coalesce(max(memory_id), 0) FROM memories`); err != nil {
		return t, err
	}
	large := waiting && memories[0] > readable
	if !large && len(t.Topics)+len(t.Plain) <= maxSearched && len(t.Pairs) <= maxSearched && len(t.Endings) <= maxSearched {
		return t, nil
	}
	counts, err := countTerms(ctx, d, slices.Concat(t.Topics, t.Plain))
	if err != nil {
		return t, err
	}
	room := budget{terms: maxSearched, memories: readable}
	if !large {
		room.memories = maxSearched * readable
	}
	kept := text.Terms{Topics: room.take(t.Topics, counts), Plain: room.take(t.Plain, counts)}
	kept.Pairs = t.Pairs[:min(len(t.Pairs), maxSearched)]
	kept.Endings = t.Endings[:min(len(t.Endings), maxSearched)]
	return kept, nil
}

// countTerms tells how many memories have each term, at most one more than are
// readable.
func countTerms(ctx context.Context, d *db.DB, terms []string) (map[string]int, error) {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = quote(term)
	}
	list, err := json.Marshal(quoted)
	if err != nil {
		return nil, err
	}
	var found []int
	err = d.Select(ctx, &found, `
		SELECT (
			SELECT count(*)
			FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH t.value LIMIT ?)
		)
		FROM json_each(?) t`, readable+1, string(list))
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for i, term := range terms {
		counts[term] = found[i]
	}
	return counts, nil
}

// budget is what the terms of a prompt may cost.
type budget struct{ terms, memories int }

// take keeps the rarest terms that fit, in the order of the prompt. Terms that no
// memory has cost nothing and find nothing.
func (b *budget) take(terms []string, counts map[string]int) []string {
	rarest := slices.SortedStableFunc(slices.Values(terms), func(x, y string) int { return cmp.Compare(counts[x], counts[y]) })
	keep := map[string]bool{}
	for _, term := range rarest {
		if n := counts[term]; n > 0 && b.terms > 0 && n <= b.memories {
			b.terms--
			b.memories -= n
			keep[term] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(terms), func(term string) bool { return !keep[term] })
}
