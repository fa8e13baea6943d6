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

// removePostings deletes the postings of a memory, and tokens that no memory has
// any more.
func (t *Tx) removePostings(memoryID int64, postings []posting) error {
	if len(postings) == 0 {
		return nil
	}
	names := make([]string, len(postings))
	for i, p := range postings {
		names[i] = p.token
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	if err := t.execPrepared("remove postings", `
		DELETE FROM postings
		WHERE memory_id = ? AND token_id IN (
			SELECT t.token_id
			FROM json_each(?) j
			CROSS JOIN tokens t ON t.token = j.value
		)`, memoryID, string(list)); err != nil {
		return err
	}
	return t.execPrepared("remove unused tokens", `
		DELETE FROM tokens
		WHERE token IN (SELECT value FROM json_each(?))
			AND NOT EXISTS (SELECT 1 FROM postings p WHERE p.token_id = tokens.token_id)`, string(list))
}
