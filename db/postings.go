package db

import (
	"maps"
	"slices"

	"memctl/text"
)

// posting is one token in one memory.
type posting struct {
	token    string
	memoryID int64
	inTitle  bool
	inTags   bool
}

// postingsOf lists the distinct tokens of a title and its whole tags.
func postingsOf(id int64, title string, tags []string) []posting {
	words := text.Tokens(title)
	list := make([]posting, 0, len(words)+len(tags))
	for _, word := range words {
		list = append(list, posting{word, id, true, slices.Contains(tags, word)})
	}
	for _, tag := range tags {
		if !slices.Contains(words, tag) {
			list = append(list, posting{tag, id, false, true})
		}
	}
	return list
}

// putPostings writes postings and the tokens that are new.
func (t *Tx) putPostings(postings []posting) error {
	ids, err := t.tokenIDs(postings)
	if err != nil {
		return err
	}
	table := newInserter(t, "postings", "token_id", "memory_id", "in_title", "in_tags")
	for _, p := range postings {
		table.queue(ids[p.token], p.memoryID, p.inTitle, p.inTags)
	}
	return table.flush()
}

// tokenIDs returns the ids of the tokens of postings. New tokens get one.
func (t *Tx) tokenIDs(postings []posting) (map[string]int64, error) {
	ids := map[string]int64{}
	for _, p := range postings {
		ids[p.token] = 0
	}
	if len(ids) == 0 {
		return ids, nil
	}
	list := JSON(slices.Collect(maps.Keys(ids)))
	if err := t.exec("write tokens", `
		INSERT INTO tokens (token)
		SELECT value FROM json_each(?) WHERE true
		ON CONFLICT (token) DO NOTHING`, list); err != nil {
		return nil, err
	}
	var rows []struct {
		ID    int64  `db:"token_id"`
		Token string `db:"token"`
	}
	err := t.Select(&rows, `SELECT token_id, token FROM tokens WHERE token IN (SELECT value FROM json_each(?))`, list)
	for _, row := range rows {
		ids[row.Token] = row.ID
	}
	return ids, err
}

// removeUnusedTokens deletes the tokens that no memory has any more. It scans the
// whole table, so prompts leave it to TidyUp.
func (t *Tx) removeUnusedTokens() error {
	return t.exec("remove unused tokens", `
		DELETE FROM tokens
		WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.token_id = tokens.token_id)`)
}
