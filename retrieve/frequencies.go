package retrieve

import (
	"cmp"
	"context"
	"database/sql/driver"
	"math"
	"slices"
	"strings"

	"memctl/db"
)

// Frequencies say how common terms are among memories.
type Frequencies struct {
	Memories   int            `json:"memories"` // of every status
	Terms      map[string]int `json:"terms"`    // the number of memories that have the term
	firstPages map[string]int // the number of those that have it on the first page (hybrid.sql)
}

// frequenciesOf counts the memories of an index that have each term, up to a bound. It takes
// the highest id for the number of all memories, because counting them takes a while; it
// is more if some were removed.
func frequenciesOf(ctx context.Context, d *db.DB, terms []string, most int) (Frequencies, error) {
	type count struct {
		Memories   int `db:"memories"`
		N          int `db:"n"` // of those that have the term
		FirstPages int `db:"first_pages"`
	}
	f := Frequencies{Terms: make(map[string]int, len(terms)), firstPages: make(map[string]int, len(terms))}
	queries := make([]string, len(terms))
	for i, term := range terms {
		queries[i] = matching(term)
	}
	counts, err := db.Query[count](ctx, d, `
		SELECT
			(SELECT coalesce(max(memory_id), 0) FROM memories) AS memories,
			(
				SELECT count(*)
				FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH t.value LIMIT ?)
			) AS n,
			(
				SELECT count(*)
				FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH '{title tags body} : ' || t.value LIMIT ?)
			) AS first_pages
		FROM json_each(?) t`, most, most, db.JSON(queries))
	for i, c := range counts {
		f.Memories, f.Terms[terms[i]], f.firstPages[terms[i]] = c.Memories, c.N, c.FirstPages
	}
	return f, err
}

// matching returns the full text query for a term. One that ends with * is the beginning of words.
func matching(term string) string {
	if start, begun := strings.CutSuffix(term, "*"); begun {
		return db.Quote(start) + " *"
	}
	return db.Quote(term)
}

// without returns the words that no memory was counted for. It takes over the list.
func (f Frequencies) without(words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return f.Terms[word] > 0 })
}

func (f Frequencies) pages() int { return f.Memories + db.BlankPages }

// rarity is the idf of a term, as FTS5's bm25 has it of the first pages.
func (f Frequencies) rarity(term string) float64 {
	n, pages := float64(f.firstPages[term]), float64(f.pages())
	return max(1e-6, math.Log((pages-n+0.5)/(n+0.5)))
}

// best is the highest strength that a memory could have by hybrid.sql: every term in the
// title of a memory of average length, where it scores
//
//	idf * f * 2.2 / (f + 1.2 * length) = idf * 2.2 * 3 / (3 + 1.2)
//
// in units of ln((n + 0.5) / 0.5) * 2.2. A short memory that has it in the body too may
// score a little more.
//
// A term that no memory has counts as the rarest one, because then no memory answers all
// of the prompt. A pair that no memory has counts nothing, because its words count already
// and may be in any order. Terms that most memories or more have are not searched for.
func (f Frequencies) best(terms []weightedTerm, most int) float64 {
	sum := 0.0
	for _, t := range terms {
		if n := f.Terms[t.term]; n < most && (n > 0 || t.kind != pairKind) {
			sum += t.weight * 3 / (3 + 1.2) * f.rarity(t.term)
		}
	}
	return sum / math.Log((float64(f.pages())+0.5)/0.5)
}

const (
	// maxTerms is how many terms of a prompt hybrid searches for, the rarest first.
	maxTerms = 64
	// maxWeighed is how many memories hybrid weighs while a prompt waits. A store
	// of that size needs no look at how frequent a word is.
	maxWeighed = 6000
)

// plan returns what hybrid searches an index for. It counts terms only if the prompt is long
// or the store large.
func (q Query) plan(ctx context.Context, d *db.DB) (w searchPlan, err error) {
	memories, err := db.QueryRow[int](ctx, d, `SELECT coalesce(max(memory_id), 0) FROM memories`)
	words := q.Terms.Unpaired()
	w = searchPlan{words: words, pairs: firstTerms(q.Terms.Pairs), pages: memories + db.BlankPages}
	if err != nil {
		return w, err
	}
	var f Frequencies
	// of many it searches for the rarest words, and not for pairs of dropped ones
	if q.tooMany(memories) || len(words) > maxTerms {
		if f, err = frequenciesOf(ctx, d, words, maxWeighed+1); err != nil {
			return w, err
		}
		w.words = q.rarest(memories, words, f.Terms)
		w.pairs = withoutDropped(w.pairs, words, w.words)
	}
	w.near, err = q.correct(ctx, d, f.without(slices.Clone(firstTerms(words))))
	return w, err
}

// withoutDropped removes the pairs whose words were all looked for and not kept: too frequent, or in no memory.
func withoutDropped(pairs, words, kept []string) []string {
	stays := func(word string) bool { return !slices.Contains(words, word) || slices.Contains(kept, word) }
	return slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool {
		return !slices.ContainsFunc(strings.Fields(pair), stays)
	})
}

// tooMany reports whether words that thousands of memories have are left out: q has a
// floor because a prompt waits, and the store is large.
func (q Query) tooMany(memories int) bool { return q.Chance > 0 && memories > maxWeighed }

func firstTerms(terms []string) []string { return terms[:min(len(terms), maxTerms)] }

// rarest returns the rarest words that q has time for, in the order of the prompt, without those
// that no memory has.
func (q Query) rarest(memories int, words []string, counts map[string]int) []string {
	room := maxTerms * memories
	if q.tooMany(memories) {
		room = maxWeighed
	}
	byCount := func(x, y string) int { return cmp.Compare(counts[x], counts[y]) }
	keep := map[string]bool{}
	for _, word := range slices.SortedStableFunc(slices.Values(words), byCount) {
		if n := counts[word]; n > 0 && len(keep) < maxTerms && n <= room {
			room -= n
			keep[word] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !keep[word] })
}

// searchPlan holds the terms that hybrid searches an index for.
type searchPlan struct {
	words, pairs []string
	pages        int // rows of the full text
	// near has, for words that no memory has, terms that some have.
	near []nearTerm
}

// nearTerm stands for a word that no memory has, because it is mistyped or, as the last word, only begun.
type nearTerm struct {
	word, term string
	begun      bool
}

const (
	wordKind = "word"
	pairKind = "pair"
	// pairWeight is the weight of a pair: its words count already, and may be neighbours by chance.
	pairWeight = 0.5
)

// queries returns the terms as hybrid.sql takes them: a query for all words, one for all pairs, and one for
// each near term.
func (w searchPlan) queries() [][2]any {
	list := [][2]any{}
	if len(w.words) > 0 {
		list = append(list, [2]any{db.MatchAny(w.words), 1})
	}
	if len(w.pairs) > 0 {
		list = append(list, [2]any{db.MatchAny(w.pairs), pairWeight})
	}
	for _, n := range w.near {
		list = append(list, [2]any{matching(n.term), nearWeight})
	}
	return list
}

// explained returns the terms as hybrid_explain.sql takes them.
func (w searchPlan) explained() driver.Valuer {
	list := [][5]any{}
	for _, t := range weighted(w.words, w.pairs) {
		list = append(list, [5]any{t.kind, t.term, db.Quote(t.term), t.weight, t.term})
	}
	for _, n := range w.near {
		list = append(list, [5]any{wordKind, n.word, matching(n.term), nearWeight, strings.TrimSuffix(n.term, "*")})
	}
	return db.JSON(list)
}

// weightedTerm is a term with its weight.
type weightedTerm struct {
	kind, term string
	weight     float64
}

// weighted returns at most maxTerms words and as many pairs.
func weighted(words, pairs []string) (list []weightedTerm) {
	for _, word := range firstTerms(words) {
		list = append(list, weightedTerm{wordKind, word, 1})
	}
	for _, pair := range firstTerms(pairs) {
		list = append(list, weightedTerm{pairKind, pair, pairWeight})
	}
	return list
}

// mostHaving is the number of memories up to which the ones that have a term are counted.
// If more have it and a prompt waits, hybrid does not search for it.
func (q Query) mostHaving() int {
	if q.Chance > 0 {
		return maxWeighed + 1
	}
	return everyMemory
}
