package db

import (
	"encoding/json"
	"maps"
	"slices"
)

// token is one row of tokens.
type token struct {
	ID    int64  `db:"token_id"`
	Token string `db:"token"`
}

// putPostings writes postings by token, in key order.
func (t *Tx) putPostings(byToken map[string][]posting) error {
	tokens, err := t.putTokens(slices.Sorted(maps.Keys(byToken)))
	if err != nil {
		return err
	}
	table := newInserter(t, "postings", "token_id", "memory_id", "in_title", "in_tags")
	for _, token := range tokens {
		for _, p := range byToken[token.Token] {
			table.queue(token.ID, p.memoryID, p.inTitle, p.inTags)
		}
		if table.rows < table.perStatement {
			continue
		}
		if err := table.flush(); err != nil {
			return err
		}
	}
	return table.flush()
}

// putTokens returns the rows of tokens, in order of their ids. New tokens get one.
func (t *Tx) putTokens(names []string) ([]token, error) {
	if len(names) == 0 {
		return nil, nil // titles of stop words, or in a script without tokens
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	if err := t.exec("write tokens", `
		INSERT INTO tokens (token)
		SELECT value FROM json_each(?) WHERE true
		ON CONFLICT (token) DO NOTHING`, string(list)); err != nil {
		return nil, err
	}
	var rows []token
	err = t.Select(&rows, `
		SELECT t.token_id, t.token
		FROM json_each(?) j
		CROSS JOIN tokens t ON t.token = j.value
		ORDER BY t.token_id`, string(list))
	return rows, err
}

// removePostings deletes postings of a memory. The table is clustered by token, so
// each is found by its token.
func (t *Tx) removePostings(memoryID int64, postings []posting) error {
	for _, p := range postings {
		if err := t.exec("remove a posting", `
			DELETE FROM postings
			WHERE memory_id = ? AND token_id = (SELECT token_id FROM tokens WHERE token = ?)`, memoryID, p.token); err != nil {
			return err
		}
	}
	return nil
}

// removeUnusedTokens deletes the tokens that no memory has any more. It scans the
// whole table, so prompts leave it to TidyUp.
func (t *Tx) removeUnusedTokens() error {
	return t.exec("remove unused tokens", `
		DELETE FROM tokens
		WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.token_id = tokens.token_id)`)
}
