package retrieve

import (
	"context"
	"math"

	"memctl/db"
)

// Frequencies say how common terms are among memories.
type Frequencies struct {
	Memories int            `json:"memories"` // of every status
	Terms    map[string]int `json:"terms"`    // the number of memories that have the term
}

// frequenciesOf counts the memories of an index that have each term, up to a bound. It takes
// the highest id for the number of all memories, because counting them takes a while; it
// is more if some were removed.
func frequenciesOf(ctx context.Context, d *db.DB, terms []string, most int) (Frequencies, error) {
	type count struct {
		Memories int `db:"memories"`
		N        int `db:"n"` // of those that have the term
	}
	f := Frequencies{Terms: make(map[string]int, len(terms))}
	counts, err := query[count](ctx, d, `
		SELECT
			(SELECT coalesce(max(memory_id), 0) FROM memories) AS memories,
			(
				SELECT count(*)
				FROM (SELECT 1 FROM memories_fts WHERE memories_fts MATCH t.value LIMIT ?)
			) AS n
		FROM json_each(?) t`, most, db.JSON(quoteAll(terms)))
	for i, c := range counts {
		f.Memories, f.Terms[terms[i]] = c.Memories, c.N
	}
	return f, err
}

// add adds the frequencies of another index.
func (f *Frequencies) add(other Frequencies) {
	f.Memories += other.Memories
	for term, n := range other.Terms {
		f.Terms[term] += n
	}
}

func (f Frequencies) pages() int { return f.Memories + db.BlankPages }

// rarity is the idf of a term, as FTS5's bm25 has it.
func (f Frequencies) rarity(term string) float64 {
	n, pages := float64(f.Terms[term]), float64(f.pages())
	return max(1e-6, math.Log((pages-n+0.5)/(n+0.5)))
}

// scales returns the rarity of each term among all memories divided by that in f.
func (f Frequencies) scales(all Frequencies) map[string]float64 {
	scales := make(map[string]float64, len(f.Terms))
	for term := range f.Terms {
		scales[term] = all.rarity(term) / f.rarity(term)
	}
	return scales
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
		if n := f.Terms[t.term]; n < most && (n > 0 || t.kind != "pair") {
			sum += t.weight * 3 / (3 + 1.2) * f.rarity(t.term)
		}
	}
	return sum / math.Log((float64(f.pages())+0.5)/0.5)
}
