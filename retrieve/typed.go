package retrieve

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"

	"golang.org/x/text/unicode/norm"
)

//go:embed typed.sql
var typedSQL string

// maxTyped is how many words of what was typed are searched for.
const maxTyped = 16

// Typed is what a person has typed into a search box so far: its last word may be unfinished.
type Typed struct {
	Words []string // in lower case
	// Corrected has for words that no memory has the word that was searched for.
	Corrected map[string]string
	all       string
	unended   bool
}

// Matches reports whether a word of a text is why the text was found.
func (t Typed) Matches(word string) bool {
	word = norm.NFC.String(text.Lower(word))
	return slices.ContainsFunc(t.Words, func(typed string) bool {
		typed = cmp.Or(t.Corrected[typed], typed)
		shared := 0
		for shared < min(len(word), len(typed)) && word[shared] == typed[shared] {
			shared++
		}
		stems := shared >= 4 && shared >= max(len(word), len(typed))-3 // rotates, rotation
		return shared == len(typed) || stems
	})
}

// Listing is a part of what matches, and what there is of all of it.
type Listing struct {
	Typed
	Items  []Item
	Total  int                      // with the filters
	Counts map[schemas.Category]int // without those by category and tag
	Tags   []TagCount               // likewise, the most frequent first

	matched int // how many of the words each has
}

// WordsOf takes apart what was typed.
func WordsOf(typed string) Typed {
	typed = norm.NFC.String(typed)
	t := Typed{all: strings.Join(strings.Fields(text.Lower(typed)), " "), Corrected: map[string]string{}}
	inner := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	for word := range strings.FieldsFuncSeq(t.all, inner) {
		if !slices.Contains(t.Words, word) && len(t.Words) < maxTyped {
			t.Words = append(t.Words, word)
		}
	}
	t.unended = typed != "" && strings.TrimRight(typed, " \t\n") == typed
	return t
}

// Find lists the memories that have all of the words, or the most of them, the best first, from
// a place on. f limits how many are listed, and tags how many tags are counted.
func (s Sources) Find(ctx context.Context, t Typed, f Filter, from, tags int) (Listing, error) {
	l, err := s.find(ctx, t, f, from, tags)
	if err != nil || l.matched == len(t.Words) {
		return l, err
	}
	if t.Corrected, err = s.spell(ctx, t.Words); err != nil || len(t.Corrected) == 0 {
		return l, err
	}
	if better, err := s.find(ctx, t, f, from, tags); err != nil || better.matched > l.matched {
		return better, err
	}
	return l, nil
}

// typedHit is a memory that matches.
type typedHit struct {
	Memory   int64            `db:"memory_id"`
	Category schemas.Category `db:"category"`
	Tagged   bool             `db:"tagged"`
	Matched  int              `db:"matched"`
	Points   float64          `db:"points"`
	Updated  int64            `db:"updated_unix"`
	root     string           // the path of its source's root
}

func (s Sources) find(ctx context.Context, t Typed, f Filter, from, tags int) (Listing, error) {
	l := Listing{Typed: t, Counts: map[schemas.Category]int{}}
	args := append(f.args(), sql.Named("words", db.JSON(t.queries())), sql.Named("typed", t.all))
	var all []typedHit
	err := s.each(func(source Source) error {
		hits, err := db.Query[typedHit](ctx, source.DB, typedSQL, args...)
		for _, h := range hits {
			h.root = source.Root.Path
			all = append(all, h)
		}
		return err
	})
	if err != nil {
		return l, err
	}
	for _, h := range all {
		l.matched = max(l.matched, h.Matched)
	}
	all = slices.DeleteFunc(all, func(h typedHit) bool { return h.Matched < l.matched })
	for _, h := range all {
		l.Counts[h.Category]++
	}
	if l.Tags, err = s.tagsOf(ctx, all, tags); err != nil {
		return l, err
	}
	all = slices.DeleteFunc(all, func(h typedHit) bool {
		return !h.Tagged || len(f.Categories) > 0 && !slices.Contains(f.Categories, h.Category)
	})
	slices.SortFunc(all, func(a, b typedHit) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Updated, a.Updated), cmp.Compare(a.Memory, b.Memory))
	})
	l.Total = len(all)
	l.Items, err = s.itemsOf(ctx, all[min(len(all), from):min(len(all), from+f.Limit)])
	return l, err
}

// queries are the words for typed.sql. The index has a word's stem, which a beginning of the
// word need not have.
func (t Typed) queries() [][]any {
	var list [][]any
	for i, word := range t.Words {
		word = cmp.Or(t.Corrected[word], word)
		quoted := `"` + word + `"`
		if t.unended && i == len(t.Words)-1 {
			list = append(list, []any{quoted + ` OR ` + quoted + ` *`, word, word + "\U0010FFFF", len([]rune(word))})
		} else {
			list = append(list, []any{quoted, word, word + "\x01", len([]rune(word))})
		}
	}
	return list
}

// spell returns the words that stand for those that no memory has.
func (s Sources) spell(ctx context.Context, words []string) (map[string]string, error) {
	candidates, corrected := map[string][]string{}, map[string]string{}
	err := s.each(func(source Source) error { return candidatesFor(ctx, source.DB, words, candidates) })
	for _, word := range words {
		if nearest := text.Correct(word, candidates[word]); nearest != "" {
			corrected[word] = nearest
		}
	}
	return corrected, err
}

// idsOf returns the memories of the source.
func (s Source) idsOf(hits []typedHit) []int64 {
	var ids []int64
	for _, h := range hits {
		if h.root == s.Root.Path {
			ids = append(ids, h.Memory)
		}
	}
	return ids
}

func (s Sources) tagsOf(ctx context.Context, hits []typedHit, most int) ([]TagCount, error) {
	counts := map[string]int{}
	err := s.each(func(source Source) error {
		tags, err := db.Query[TagCount](ctx, source.DB, `
			SELECT t.token AS tag, c.count
			FROM (
				SELECT p.token_id, count(*) AS count
				FROM json_each(?) h
				CROSS JOIN postings p ON p.memory_id = h.value
				WHERE p.in_tags
				GROUP BY p.token_id
				ORDER BY count DESC
				LIMIT ?
			) c
			JOIN tokens t ON t.token_id = c.token_id`, db.JSON(source.idsOf(hits)), most)
		for _, t := range tags {
			counts[t.Tag] += t.Count
		}
		return err
	})
	return mostFrequent(counts, most), err
}

// itemsOf returns the memories of hits in their order.
func (s Sources) itemsOf(ctx context.Context, hits []typedHit) ([]Item, error) {
	items := make([]Item, len(hits))
	err := s.each(func(source Source) error {
		found, err := db.Query[Item](ctx, source.DB, `
			WITH listed (place, memory_id) AS (SELECT key, value FROM json_each(?))
			SELECT `+itemColumns+`
			FROM listed
			JOIN memories USING (memory_id)
			ORDER BY place`, db.JSON(source.idsOf(hits)))
		for i, h := range hits {
			if h.root == source.Root.Path && len(found) > 0 {
				items[i], found = found[0], found[1:]
				items[i].Root = source.Root
			}
		}
		return err
	})
	return slices.DeleteFunc(items, func(m Item) bool { return m.Path == "" }), err // removed meanwhile
}

// Index returns what was found as entries of a search. Its relevance is the share of the words
// that each memory has.
func (l Listing) Index() []IndexEntry {
	list := make([]IndexEntry, len(l.Items))
	for i, m := range l.Items {
		list[i] = Result{Entry: m.Entry}.Found(m.Root, float64(l.matched)/float64(max(1, len(l.Words))))
		list[i].Name = m.ID
	}
	return list
}

// Summary returns the sentence of a memory that says most, or else its title.
func (m Item) Summary() string { return Result{Entry: m.Entry}.summary(m.Root) }

const (
	// nearWeight is what a word counts that stands for one that no memory has.
	nearWeight = 0.5
	// maxCorrected is how many words of a prompt are corrected.
	maxCorrected = 8
)

// candidatesFor adds, by the word, the tokens of titles and tags that words which no memory of
// an index has may stand for. The two have their first letter in common, which few typos
// change.
func candidatesFor(ctx context.Context, d *db.DB, words []string, candidates map[string][]string) error {
	var typed []string
	for _, word := range words {
		if isLatin(word) && text.Correct(word, []string{word}) != "" {
			typed = append(typed, word)
		}
	}
	if len(typed) == 0 {
		return nil
	}
	type pair struct {
		Word  string `db:"word"`
		Token string `db:"token"`
	}
	pairs, err := db.Query[pair](ctx, d, `
		WITH unknown (word) AS MATERIALIZED (
			SELECT w.value
			FROM json_each(?) w
			WHERE NOT EXISTS (SELECT 1 FROM tokens t WHERE t.token = w.value)
				AND NOT EXISTS (SELECT 1 FROM memories_fts WHERE memories_fts MATCH '"' || w.value || '"')
			LIMIT ?
		)
		SELECT
			u.word,
			t.token
		FROM unknown u
		CROSS JOIN tokens t ON t.token >= substr(u.word, 1, 1)
			AND t.token < char(unicode(u.word) + 1)
		WHERE abs(length(t.token) - length(u.word)) <= 2`, db.JSON(typed), maxCorrected)
	for _, p := range pairs {
		if isLatin(p.Token) {
			candidates[p.Word] = append(candidates[p.Word], p.Token)
		}
	}
	return err
}

func isLatin(word string) bool { return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" }
