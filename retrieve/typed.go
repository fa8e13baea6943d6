package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"

	"golang.org/x/text/unicode/norm"
)

// maxTyped is how many words of a search are marked in its results.
const maxTyped = 16

// Typed is a search as a person typed it, for marking the words of a text that it finds.
type Typed struct {
	Words []string // in lower case
	// Corrected has for words that no memory has the word that was searched for.
	Corrected map[string]string
}

// Corrected returns, for words of q that no memory has, the words that are searched for in their place.
func (s Sources) Corrected(ctx context.Context, q Query) (map[string]string, error) {
	corrected := map[string]string{}
	if q.Strategy != schemas.Hybrid {
		return corrected, nil
	}
	err := s.each(func(source Source) error {
		w, err := q.plan(ctx, source.DB)
		for _, n := range w.near {
			if !n.begun {
				corrected[n.word] = cmp.Or(corrected[n.word], n.term)
			}
		}
		return err
	})
	if err != nil || len(corrected) == 0 {
		return corrected, err
	}
	frequencies, err := s.frequencies(ctx, q)
	maps.DeleteFunc(corrected, func(word, _ string) bool { return frequencies.Terms[word] > 0 })
	return corrected, err
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

// WordsOf returns the words of a search.
func WordsOf(typed string) (words []string) {
	for _, word := range splitWords(typed) {
		if !slices.Contains(words, word) && len(words) < maxTyped {
			words = append(words, word)
		}
	}
	return words
}

func splitWords(typed string) []string {
	inner := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	return strings.FieldsFunc(text.Lower(norm.NFC.String(typed)), inner)
}

// minBegun is how many bytes a last word has at least to be the beginning of others, unless it is all of a query.
const minBegun = 3

// longestWord is how many bytes of a last word may be the beginning of words.
const longestWord = 64

// lastWord returns the last word of a prompt, "" for a long one.
func lastWord(prompt string) string {
	words := splitWords(text.Last(prompt, longestWord))
	if len(words) == 0 || len(words[len(words)-1]) == longestWord {
		return ""
	}
	return words[len(words)-1]
}

// begunBy returns the term for the words that begin with the last word of q, "" if memories have
// that word itself or none that begins with it. One or two Latin letters are a beginning only if
// they are all of q: "the PR" does not ask for what is primary.
func (q Query) begunBy(ctx context.Context, d *db.DB) (string, error) {
	all := q.Empty() || slices.Equal(q.Prompt.Unpaired(), []string{q.Last})
	if q.Last == "" || len(q.Last) < minBegun && !all {
		return "", nil
	}
	term, err := db.QueryRow[string](ctx, d, begunSQL, q.Last, db.Quote(q.Last), matching(q.Last+"*"))
	if term == q.Last {
		term = ""
	}
	return term, err
}

// begunSQL returns the word itself, its beginning as a term, or a token of titles and tags: the
// full text has stems, which may be shorter than the beginning of a word.
const begunSQL = `
	SELECT CASE
		WHEN EXISTS (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ?2) THEN ?1
		WHEN EXISTS (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ?3) THEN ?1 || '*'
		ELSE coalesce((
			SELECT token
			FROM tokens
			WHERE token > ?1 AND token < ?1 || char(1114111)
			ORDER BY length(token), token
			LIMIT 1
		), '')
	END`

const (
	// nearWeight is the weight of a word that replaces one that no memory has.
	nearWeight = 0.5
	// maxCorrected is how many words of a prompt are corrected.
	maxCorrected = 8
)

// correct returns replacements for words that no memory of an index has.
func (q Query) correct(ctx context.Context, d *db.DB, words []string) (near []nearTerm, err error) {
	candidates, err := candidatesFor(ctx, d, words[:min(len(words), maxTerms)])
	for _, word := range slices.Sorted(maps.Keys(candidates)) {
		if token := text.Correct(word, slices.Sorted(slices.Values(candidates[word]))); token != "" {
			near = append(near, nearTerm{word, token, false})
		}
	}
	if err != nil || slices.ContainsFunc(near, func(n nearTerm) bool { return n.word == q.Last }) {
		return near, err
	}
	term, err := q.begunBy(ctx, d)
	if term != "" {
		near = append(near, nearTerm{q.Last, term, true})
	}
	return near, err
}

// candidatesFor returns, by the word, the tokens of titles and tags that words which no memory
// of an index has may stand for. The two have their first letter in common, which few typos
// change.
func candidatesFor(ctx context.Context, d *db.DB, words []string) (map[string][]string, error) {
	candidates := map[string][]string{}
	var typed []string
	for _, word := range words {
		if isLatin(word) && text.Correct(word, []string{word}) != "" {
			typed = append(typed, word)
		}
	}
	if len(typed) == 0 {
		return candidates, nil
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
	return candidates, err
}

func isLatin(word string) bool { return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" }
