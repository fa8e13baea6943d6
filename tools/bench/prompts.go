package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"
)

const (
	// broadShare is the part of the store that a broad prompt should touch.
	broadShare = 0.4
	// head is how many of the most frequent words the broad prompt is chosen from.
	head = 12
)

// prompt is a few words of the store and how much of it they touch.
type prompt struct {
	Words []string `json:"words"`
	// Memories have one of the words as a title token or tag.
	Memories int `json:"memories"`
	// WithPrefixes counts also those with a token that a word begins: what
	// memctl looks at, and the plain join does not.
	WithPrefixes int     `json:"with_prefixes"`
	Share        float64 `json:"share"` // Memories of all
}

// text is what a person would type; the words added are stop words.
func (p prompt) text() string { return "please help with " + strings.Join(p.Words, " and ") }

// choosePrompts asks an index for words. It reads the file as it is: the index
// may be another version's.
func choosePrompts(path string) (selective, broad prompt, err error) {
	location := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/"), RawQuery: "mode=ro&immutable=1"}
	d, err := sql.Open("sqlite", location.String())
	if err != nil {
		return selective, broad, err
	}
	defer d.Close()
	c := chooser{d}
	if selective, err = c.selective(); err != nil {
		return selective, broad, err
	}
	if broad, err = c.broad(); err != nil {
		return selective, broad, err
	}
	return selective, broad, errors.Join(c.countPrefixes(&selective), c.countPrefixes(&broad))
}

type chooser struct{ d *sql.DB }

// selective takes three words that touch about two memories each.
func (c chooser) selective() (prompt, error) {
	words, err := c.words(`
		SELECT t.token
		FROM (
			SELECT e.token, (
				SELECT count(DISTINCT k.memory_id)
				FROM memory_tokens k
				WHERE k.token >= e.token AND k.token < e.token || char(1114111)
			) AS touched
			FROM tokens e
		) t
		ORDER BY abs(t.touched - 2), t.token
		LIMIT 3`)
	if err != nil {
		return prompt{}, err
	}
	return c.touched(words)
}

// broad takes three to five neighbours in the order of frequency, those that
// touch a share of the store nearest to broadShare.
func (c chooser) broad() (best prompt, err error) {
	frequent, err := c.words(`
		SELECT token
		FROM memory_tokens
		GROUP BY token
		ORDER BY count(*) DESC, token
		LIMIT ?`, head)
	if err != nil {
		return best, err
	}
	for n := 3; n <= 5; n++ {
		for first := 0; first+n <= len(frequent); first++ {
			p, err := c.touched(frequent[first : first+n])
			if err != nil {
				return best, err
			}
			if math.Abs(p.Share-broadShare) < math.Abs(best.Share-broadShare) {
				best = p
			}
		}
	}
	return best, nil
}

func (c chooser) words(query string, args ...any) (words []string, err error) {
	rows, err := c.d.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, rows.Err()
}

func (c chooser) touched(words []string) (prompt, error) {
	p := prompt{Words: words}
	var all int
	err := c.d.QueryRow(`
		SELECT
			(SELECT count(DISTINCT memory_id) FROM memory_tokens WHERE token IN (SELECT value FROM json_each(?))),
			(SELECT count(*) FROM memories)`, jsonList(words)).Scan(&p.Memories, &all)
	p.Share = float64(p.Memories) / float64(max(1, all))
	return p, err
}

// countPrefixes needs no rule for short words: the generator makes none.
func (c chooser) countPrefixes(p *prompt) error {
	return c.d.QueryRow(`
		SELECT count(DISTINCT k.memory_id)
		FROM json_each(?) p
		CROSS JOIN memory_tokens k ON k.token >= p.value AND k.token < p.value || char(1114111)`,
		jsonList(p.Words)).Scan(&p.WithPrefixes)
}

func jsonList(words []string) string {
	list, err := json.Marshal(words)
	if err != nil {
		panic(err) // strings
	}
	return string(list)
}
