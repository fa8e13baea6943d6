package retrieve

import (
	"context"
	"strings"

	"memctl/db"
	"memctl/text"
)

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
	pairs, err := query[pair](ctx, d, `
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
