package retrieve

import (
	"cmp"
	"context"
	"slices"

	"memctl/db"
	"memctl/text"
)

const (
	// maxTerms is how many terms of a prompt hybrid searches for, the rarest first.
	maxTerms = 64
	// maxWeighed is how many memories hybrid weighs while a prompt waits. A store
	// of that size needs no look at how frequent a word is.
	maxWeighed = 6000
)

// searchTerms returns the terms of q that hybrid searches for: the rarest, and,
// where q has a floor because a prompt waits, none that thousands of memories
// have. It counts them only if the prompt is long or the store large.
func (q Query) searchTerms(ctx context.Context, d *db.DB) (text.Terms, error) {
	t := q.Terms
	memories, err := queryRow[int](ctx, d, `SELECT coalesce(max(memory_id), 0) FROM memories`)
	if err != nil {
		return t, err
	}
	large := q.Floor > 0 && memories > maxWeighed
	if !large && len(t.Topics)+len(t.Common)+len(t.Plain) <= maxTerms && len(t.Pairs) <= maxTerms {
		return t, nil
	}
	counts, err := countTerms(ctx, d, slices.Concat(t.Topics, t.Common, t.Plain))
	if err != nil {
		return t, err
	}
	budget := termBudget{terms: maxTerms, memories: maxWeighed}
	if !large {
		budget.memories = maxTerms * maxWeighed
	}
	return text.Terms{
		Topics: budget.take(t.Topics, counts),
		Common: budget.take(t.Common, counts),
		Plain:  budget.take(t.Plain, counts),
		Pairs:  t.Pairs[:min(len(t.Pairs), maxTerms)],
	}, nil
}

// countTerms returns how many memories have each term, counted up to maxWeighed+1.
func countTerms(ctx context.Context, d *db.DB, terms []string) (map[string]int, error) {
	found, err := query[int](ctx, d, `
		SELECT (
			SELECT count(*)
			FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH t.value LIMIT ?)
		)
		FROM json_each(?) t`, maxWeighed+1, jsonArg{quoteAll(terms)})
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for i, term := range terms {
		counts[term] = found[i]
	}
	return counts, nil
}

// termBudget is what the terms of a prompt may still cost.
type termBudget struct{ terms, memories int }

// take keeps the rarest terms that fit, in the order of the prompt. It drops those
// that no memory has.
func (b *termBudget) take(terms []string, counts map[string]int) []string {
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

// weighted returns terms for SQL, at most maxTerms of a kind: the kind, the term, its
// FTS5 query and its weight in hybrid.sql.
func weighted(t text.Terms) jsonArg {
	list := [][4]any{}
	for _, part := range []struct {
		kind   string
		terms  []string
		weight float64
	}{{"topic", t.Topics, 1}, {"common", t.Common, 1}, {"plain", t.Plain, 1}, {"pair", t.Pairs, pairWeight}} {
		for _, term := range part.terms[:min(len(part.terms), maxTerms)] {
			list = append(list, [4]any{part.kind, term, quote(term), part.weight})
		}
	}
	return jsonArg{list}
}
