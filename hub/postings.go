package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"memctl/schemas"

	"github.com/jackc/pgx/v5"
)

const (
	// rowsAtOnce is how many rows of terms or postings one statement has.
	rowsAtOnce = 10_000
	// elementsAtOnce is how many elements of postings: a common term has one for each memory, of up to 20 bytes.
	elementsAtOnce = 200_000
)

// The largest numbers of an element of postings.packed, as the migration lays it out.
const (
	maxLength = 1<<13 - 1
	maxTitle  = 1<<5 - 1
	maxTags   = 1<<5 - 1
	maxBody   = 1<<8 - 1 // of frequency, too
)

// counted is the length of a memory as postings and corpus have it.
func (a analysis) counted() int64 { return int64(min(a.length, maxLength)) }

// pack returns the element of postings for a term of a memory.
func (v *version) pack(f frequency) int64 {
	active := int64(0)
	if v.status == schemas.Active {
		active = 1
	}
	return v.id<<32 | active<<31 | v.counted()<<18 |
		int64(min(f.title, maxTitle))<<13 | int64(min(f.tags, maxTags))<<8 | int64(f.body)
}

// memoryOf returns the id of the memory of an element.
func memoryOf(element int64) int64 { return element >> 32 }

// writeTerms changes the postings, and notes how many memories and terms more or fewer there are.
func (c *changes) writeTerms(ctx context.Context, tx pgx.Tx, repo int32, ids map[string]int32) error {
	if err := c.writePostings(ctx, tx, repo, ids); err != nil {
		return err
	}
	terms := int64(0)
	for _, v := range c.put {
		terms += v.counted()
	}
	for _, v := range c.old {
		terms -= v.counted()
	}
	var b pgx.Batch
	b.Queue(`INSERT INTO corpus_changes (memories, terms) VALUES ($1, $2)`, len(c.put)-len(c.old), terms)
	// By the clock, so that a standby which has missed a publication does not give its number to another one.
	b.Queue(`
		UPDATE repositories
		SET analysed_by = $2,
			revision = greatest(revision + 1, extract(epoch FROM clock_timestamp()) * 1000000)::bigint
		WHERE repo_id = $1`, repo, c.version)
	return tx.SendBatch(ctx, &b).Close()
}

// writePostings changes the rows of the terms that the old or new versions have.
func (c *changes) writePostings(ctx context.Context, tx pgx.Tx, repo int32, ids map[string]int32) error {
	gone := make(map[int64]bool, len(c.old))
	for _, v := range c.old {
		gone[v.id] = true
	}
	added := c.elements()
	share := 1 + c.count/max(len(c.put), analysedAtOnce) // of all elements of a term to those that are added, about
	byID := c.used()                                     // numbers of terms
	idOf := func(number int32) int32 { return ids[c.vocabulary.terms[number]] }
	slices.SortFunc(byID, func(a, b int32) int { return cmp.Compare(idOf(a), idOf(b)) })
	for len(byID) > 0 {
		terms := map[int32][]int64{}
		for size := 0; len(byID) > 0 && len(terms) < rowsAtOnce && size < elementsAtOnce; byID = byID[1:] {
			n := byID[0]
			terms[idOf(n)], size = added[n], size+len(added[n])*share
			added[n] = nil
		}
		if err := mergePostings(ctx, tx, repo, terms, gone); err != nil {
			return err
		}
	}
	return nil
}

// elements returns the elements of the new versions by the numbers of their terms; none for a term
// that only old versions have.
func (c *changes) elements() [][]int64 {
	counts := make([]int, len(c.vocabulary.terms))
	for _, v := range c.put {
		for _, f := range c.vocabulary.frequencies(v.analysis) {
			counts[f.term]++
		}
	}
	lists := make([][]int64, len(counts))
	for n, count := range counts {
		lists[n] = make([]int64, 0, count)
	}
	for _, v := range c.put {
		for _, f := range c.vocabulary.frequencies(v.analysis) {
			lists[f.term] = append(lists[f.term], v.pack(f))
		}
	}
	return lists
}

// mergePostings takes memories out of the rows of some terms and adds elements to them.
func mergePostings(
	ctx context.Context, tx pgx.Tx, repo int32, added map[int32][]int64, gone map[int64]bool,
) error {
	type posting struct {
		Term   int32
		Packed []int64
	}
	terms := slices.Sorted(maps.Keys(added))
	list, err := collect[posting](ctx, tx, `
		SELECT term_id, packed
		FROM postings
		WHERE repo_id = $1
			AND term_id = ANY ($2)`, repo, terms)
	if err != nil {
		return err
	}
	had := make(map[int32][]int64, len(list))
	for _, p := range list {
		had[p.Term] = p.Packed
	}
	var put, empty, changed, by []int32 // terms: of rows to write and to remove, and that have more or fewer memories
	var packed []string
	for _, term := range terms {
		now := slices.DeleteFunc(slices.Clone(had[term]), func(element int64) bool { return gone[memoryOf(element)] })
		now = append(now, added[term]...)
		slices.Sort(now)
		switch {
		case slices.Equal(had[term], now):
			continue
		case len(now) == 0:
			empty = append(empty, term)
		default:
			put, packed = append(put, term), append(packed, arrayText(now))
		}
		if n := len(now) - len(had[term]); n != 0 {
			changed, by = append(changed, term), append(by, int32(n))
		}
	}
	var b pgx.Batch
	b.Queue(`
		INSERT INTO postings (term_id, repo_id, packed)
		SELECT term_id, $1, packed::bigint[]
		FROM unnest($2::integer[], $3::text[]) w (term_id, packed)
		ON CONFLICT (term_id, repo_id) DO UPDATE SET packed = excluded.packed`, repo, put, packed)
	b.Queue(`
		DELETE FROM postings
		WHERE repo_id = $1
			AND term_id = ANY ($2)`, repo, empty)
	b.Queue(`
		INSERT INTO term_changes (term_id, memories)
		SELECT term_id, memories
		FROM unnest($1::integer[], $2::integer[]) w (term_id, memories)`, changed, by)
	return tx.SendBatch(ctx, &b).Close()
}

// arrayText writes an array as PostgreSQL reads it.
func arrayText(list []int64) string {
	text, _ := json.Marshal(list) // numbers
	return "{" + string(text[1:len(text)-1]) + "}"
}
