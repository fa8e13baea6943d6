package db

import (
	"encoding/json"
	"iter"
	"slices"
)

// token is one row of tokens.
type token struct {
	ID    int64  `db:"token_id"`
	Token string `db:"token"`
}

// tokenIDs returns the rows of every token named, in order of their ids, giving
// ids to new tokens.
func (t *Tx) tokenIDs(names iter.Seq[string]) ([]token, error) {
	distinct := slices.Sorted(names)
	if len(distinct) == 0 {
		return nil, nil // titles of stop words, or in a script without tokens
	}
	list, err := json.Marshal(distinct)
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

// A memory that was edited has a few other tokens than before. A row at a time is
// faster for them than one statement about a list: a prompt may be waiting, and
// preparing that statement takes longer than all of these.

// addPostings writes postings of one memory, giving ids to new tokens.
func (t *Tx) addPostings(memoryID int64, postings []posting) error {
	for _, p := range postings {
		if err := t.execPrepared("write a token", `INSERT INTO tokens (token) VALUES (?) ON CONFLICT DO NOTHING`, p.token); err != nil {
			return err
		}
		if err := t.execPrepared("write a posting", `
			INSERT INTO postings (token_id, memory_id, in_title, in_tags)
			SELECT token_id, ?, ?, ? FROM tokens WHERE token = ?`, memoryID, p.inTitle, p.inTags, p.token); err != nil {
			return err
		}
	}
	return nil
}

// removePostings deletes postings of a memory.
func (t *Tx) removePostings(memoryID int64, postings []posting) error {
	for _, p := range postings {
		if err := t.execPrepared("remove a posting", `
			DELETE FROM postings
			WHERE memory_id = ? AND token_id = (SELECT token_id FROM tokens WHERE token = ?)`, memoryID, p.token); err != nil {
			return err
		}
	}
	return nil
}

// removeUnusedTokens deletes the tokens that no memory has any more. They are in
// nobody's way, so no prompt takes the time.
func (t *Tx) removeUnusedTokens() error {
	return t.exec("remove unused tokens", `
		DELETE FROM tokens
		WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.token_id = tokens.token_id)`)
}
