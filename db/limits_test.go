package db

import (
	"fmt"
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/text"
)

// The index takes a documented part of a memory (docs/dev/audit.md).
func TestTheIndexCutsLongTexts(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	list := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%03d%s", i, long(2000)))
		}
		return list
	}
	changes := make([]schemas.Change, 150)
	d := newIndex(t)
	err := d.Update(t.Context(), func(tx *Tx) error {
		return tx.Put(Entry{File: File{Path: "decisions/a.json"}, Memory: &schemas.Memory{
			Category: schemas.Decision, ID: "a", Title: long(1500), RecordStatus: schemas.Retired, RetiredReason: long(1500),
			Tags: list(150), RelatedFiles: list(150), Changes: changes,
			Content: &schemas.DecisionContent{Context: long(150_000)},
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		`SELECT length(title) FROM memories`:                          1000,
		`SELECT length(retired_reason) FROM memories`:                 1000,
		`SELECT count(*) FROM tags`:                                   100,
		`SELECT max(length(tag)) FROM tags`:                           100,
		`SELECT count(*) FROM related_files`:                          100,
		`SELECT max(length(file)) FROM related_files`:                 1000,
		`SELECT count(*) FROM changes`:                                100,
		`SELECT length(body) FROM bodies`:                             100_000,
		`SELECT length(tags) FROM memories`:                           100*100 + 99,
		`SELECT max(length(token)) FROM tokens WHERE token LIKE '0%'`: 100,
	} {
		var got []int
		if err := d.Select(t.Context(), &got, query); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %d (%v)", query, got, want, err)
		}
	}
}

// What is within the limits stays whole.
func TestTheIndexTakesLongTitlesWhole(t *testing.T) {
	title := strings.TrimSpace(strings.Repeat("kafka99 ", 125)) // 999 characters
	m := Limited(schemas.Memory{Title: title, Tags: []string{strings.Repeat("t", MaxTag)}})
	if m.Title != title || len(m.Tags[0]) != MaxTag {
		t.Errorf("%d characters of the title, %d of the tag", len(m.Title), len(m.Tags[0]))
	}
	if tokens := text.Tokens(m.Title); len(tokens) != 1 || tokens[0] != "kafka99" {
		t.Errorf("tokens %q", tokens)
	}
}

func TestLimit(t *testing.T) {
	d := newIndex(t)
	if err := d.Limit(t.Context(), 4<<20); err != nil {
		t.Fatal(err)
	}
	put := func(name string) error {
		return d.Update(t.Context(), func(tx *Tx) error {
			m := schemas.Memory{ID: name, Content: &schemas.DecisionContent{Context: strings.Repeat("x", MaxBody)}}
			return tx.Put(Entry{File: File{Path: "decisions/" + name + ".json"}, Memory: &m})
		})
	}
	stored := 0
	for ; stored < 50; stored++ {
		if err := put(fmt.Sprint(stored)); err != nil {
			if !Unwritable(err) {
				t.Errorf("memory %d: %v", stored, err)
			}
			break
		}
	}
	if stored == 0 || stored == 50 {
		t.Errorf("%d memories were stored", stored)
	}
}
