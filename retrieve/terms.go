package retrieve

import (
	"cmp"
	"context"
	"database/sql/driver"
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

// weigh returns what hybrid searches a single index for. It counts terms only if the
// prompt is long or the store large.
func (q Query) weigh(ctx context.Context, d *db.DB) (weighing, error) {
	memories, err := queryRow[int](ctx, d, `SELECT coalesce(max(memory_id), 0) FROM memories`)
	w := weighing{terms: q.Terms, lone: q.Terms.Lone(), pages: memories + db.BlankPages}
	if err != nil || !q.selective(memories) {
		return w, err
	}
	f, err := frequenciesOf(ctx, d, wordsOf(q.Terms), maxWeighed+1)
	w.terms = q.rarest(memories, f.Terms)
	w.lone = w.terms.Lone()
	return w, err
}

// selective reports whether hybrid searches a store for the rarest terms alone.
func (q Query) selective(memories int) bool {
	return q.tooMany(memories) || len(wordsOf(q.Terms)) > maxTerms || len(q.Terms.Pairs) > maxTerms
}

// tooMany reports whether words that thousands of memories have are left out: q has a
// floor because a prompt waits, and the store is large.
func (q Query) tooMany(memories int) bool { return q.Floor > 0 && memories > maxWeighed }

// rarest returns the terms of q that hybrid searches for, given how many memories have
// each.
func (q Query) rarest(memories int, counts map[string]int) text.Terms {
	t := q.Terms
	budget := termBudget{terms: maxTerms, memories: maxWeighed}
	if !q.tooMany(memories) {
		budget.memories = maxTerms * memories
	}
	return text.Terms{
		Topics: budget.take(t.Topics, counts),
		Common: budget.take(t.Common, counts),
		Plain:  budget.take(t.Plain, counts),
		Pairs:  firstTerms(t.Pairs),
	}
}

// wordsOf returns the terms of t that are no pairs.
func wordsOf(t text.Terms) []string { return slices.Concat(t.Topics, t.Common, t.Plain) }

func firstTerms(terms []string) []string { return terms[:min(len(terms), maxTerms)] }

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

// weighing is what hybrid searches an index for, and how it weighs it.
type weighing struct {
	terms text.Terms
	lone  bool // the prompt has only one word
	pages int  // rows of the full text of all indexes that are asked
	// scales has for each term what makes its points in this index those in an index of
	// all memories that are asked. It is nil if this index is the only one.
	scales map[string]float64
}

// parts are the lists of terms by their names in hybrid.sql.
func parts(t text.Terms) []termPart {
	return []termPart{{"topic", t.Topics, 1}, {"common", t.Common, 1}, {"plain", t.Plain, 1}, {"pair", t.Pairs, pairWeight}}
}

type termPart struct {
	name   string
	terms  []string
	weight float64 // in hybrid.sql
}

// queries returns the terms as hybrid.sql takes them: a query for all of a part, or one for
// each term.
func (w weighing) queries() driver.Valuer {
	list := [][3]any{}
	for _, part := range parts(w.terms) {
		switch {
		case len(part.terms) == 0:
		case w.scales == nil:
			list = append(list, [3]any{part.name, matchAny(part.terms), 1})
		default:
			for _, term := range part.terms {
				list = append(list, [3]any{part.name, quote(term), w.scales[term]})
			}
		}
	}
	return db.JSON(list)
}

// longestPart is the number of queries of the longest part.
func (w weighing) longestPart() int {
	if w.scales == nil {
		return 1
	}
	return max(len(w.terms.Topics), len(w.terms.Common), len(w.terms.Plain), len(w.terms.Pairs))
}

// explained returns the terms as hybrid_explain.sql takes them.
func (w weighing) explained() driver.Valuer {
	list := [][4]any{}
	for _, t := range weighted(w.terms) {
		if w.scales != nil {
			t.weight *= w.scales[t.term]
		}
		list = append(list, [4]any{t.kind, t.term, quote(t.term), t.weight})
	}
	return db.JSON(list)
}

// weightedTerm is a term with its weight in hybrid.sql.
type weightedTerm struct {
	kind, term string
	weight     float64
}

// weighted returns at most maxTerms terms of each part.
func weighted(t text.Terms) (list []weightedTerm) {
	for _, part := range parts(t) {
		for _, term := range firstTerms(part.terms) {
			list = append(list, weightedTerm{part.name, term, part.weight})
		}
	}
	return list
}
