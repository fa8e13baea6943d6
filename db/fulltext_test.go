package db

import (
	"math/rand/v2"
	"strings"
	"testing"

	"memctl/schemas"
)

// FTS5 removes a memory with the texts that the view has, so these must be the ones that were added.
func TestFullTextIsThatOfTheView(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"queue ", "createdAt ", "데이터를 ", "設定", "\n", "a\x00b ", "é", "  ", strings.Repeat("x", 200)}
	d := newIndex(t)
	for range 200 {
		var body strings.Builder
		for range r.IntN(120) {
			body.WriteString(words[r.IntN(len(words))])
		}
		word := words[r.IntN(len(words))]
		e := Entry{File: File{Path: "decisions/a.json"}, Memory: &schemas.Memory{
			Title: word, Tags: []string{word}, Content: &schemas.DecisionContent{Context: body.String()},
		}}
		e.Prepare()
		var view []struct{ Title, Tags, Body, Rest string }
		err := d.Update(t.Context(), func(tx *Tx) error {
			if err := tx.Put(e); err != nil {
				return err
			}
			return tx.Select(&view, `
				SELECT full_text(title) AS title, full_text(tags) AS tags,
					full_text(body) AS body, full_text(rest) AS rest
				FROM memory_documents`)
		})
		if err != nil || len(view) != 1 {
			t.Fatalf("%d rows, %v", len(view), err)
		}
		if v := (fullText{0, view[0].Title, view[0].Tags, view[0].Body, view[0].Rest}); v != e.rows.text {
			t.Fatalf("the view has %+v, %+v was added", v, e.rows.text)
		}
	}
}
