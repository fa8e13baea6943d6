package retrieve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// index returns an index of memories in memory, as a source without files.
func index(t *testing.T, name string, memories []schemas.Memory) Source {
	t.Helper()
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	err = d.Update(t.Context(), func(tx *db.Tx) error {
		if err := tx.PutConstants(); err != nil {
			return err
		}
		loader := tx.Load()
		for _, m := range memories {
			info, _ := m.Category.Info()
			if err := loader.Add(db.Entry{File: db.File{Path: info.Folder + "/" + m.ID + ".json"}, Memory: &m}); err != nil {
				return err
			}
		}
		return loader.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return Source{DB: d, Root: files.Root{Path: name}}
}

// split returns the index of all memories, and indexes of parts of them.
func split(t *testing.T, memories []schemas.Memory, parts int, random *rand.Rand) (whole, several Sources) {
	t.Helper()
	lists := make([][]schemas.Memory, parts)
	for _, m := range memories {
		i := random.IntN(parts)
		lists[i] = append(lists[i], m)
	}
	for i, list := range lists {
		several = append(several, index(t, fmt.Sprint(i), list))
	}
	return Sources{index(t, "whole", memories)}, several
}

// vocabulary has rare and frequent words, of all kinds that a prompt has.
var vocabulary = func() []string {
	words := strings.Fields("run commit explain button server user kafka webhook retry partition rollout canary ledger")
	for i := range 2000 {
		words = append(words, fmt.Sprintf("w%cx%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/26/26))
	}
	return words
}()

// some returns n words, the first ones of the vocabulary most often.
func some(random *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[int(float64(len(vocabulary))*math.Pow(random.Float64(), 1.5))]
	}
	return strings.Join(words, " ")
}

// invented returns memories whose bodies have a number of words.
func invented(random *rand.Rand, n int, bodyWords func() int) []schemas.Memory {
	memories := make([]schemas.Memory, n)
	for i := range memories {
		content := &schemas.DecisionContent{Context: some(random, bodyWords())}
		tags := []string{"x1", "x2", some(random, 1)} // three, for tags are a set
		memories[i] = schemas.Memory{
			ID:           fmt.Sprintf("m%03d", i),
			Title:        some(random, 6),
			Tags:         tags,
			Category:     schemas.Categories[random.IntN(len(schemas.Categories))].Category,
			RecordStatus: schemas.Active,
			Content:      content,
			UpdatedAt:    time.Date(2020, 1, 1+random.IntN(2000), 0, 0, 0, 0, time.UTC).Format(time.RFC3339),
		}
		if random.IntN(10) == 0 {
			memories[i].RecordStatus = schemas.Retired
		}
	}
	return memories
}

// ranked returns what an answer is made of: ids with their points, best first.
func ranked(t *testing.T, s Sources, q Query) []string {
	t.Helper()
	results, err := s.rank(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, r := range results[:min(len(results), q.Limit)] {
		list = append(list, fmt.Sprintf("%s %d %.9f %.9f", r.ID, r.Score, r.Strength, r.Evidence))
	}
	return list
}

// A page of the full text has 80 words on average, as the blank pages.
const (
	pageWords = 80
	bodyWords = pageWords - 6 - 3
)

// However the memories are divided among indexes, they rank as in one, points included. For
// hybrid all have the same length, because each index has its own average length.
func TestSeveralSourcesRankAsOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for round := range 4 {
		memories := invented(random, 20+random.IntN(80), func() int { return bodyWords })
		whole, several := split(t, memories, 2+round%4, random)
		for range 6 {
			prompt := memories[random.IntN(len(memories))].Title + " " + some(random, random.IntN(4))
			for _, floor := range []float64{0, 0.45} {
				q := NewHybridQuery(prompt, nil, 5)
				q.Floor = floor
				compareRanks(t, whole, several, q)
				found += len(ranked(t, whole, q))
			}
			q := NewQuery(prompt, []schemas.Description{{Category: "decision", Text: "kafka and webhooks"}}, 5, time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC))
			compareRanks(t, whole, several, q)
			q.IgnoreTitle, q.Statuses = true, schemas.Statuses
			compareRanks(t, whole, several, q)
		}
	}
	if found < 40 {
		t.Errorf("the prompts find %d memories", found)
	}
}

func compareRanks(t *testing.T, whole, several Sources, q Query) {
	t.Helper()
	if diff := cmp.Diff(ranked(t, whole, q), ranked(t, several, q)); diff != "" {
		t.Errorf("%s %v %v: (-one +%d)\n%s", q.Strategy, q.Terms, q.Tokens, len(several), diff)
	}
	best := []float64{}
	for _, s := range []Sources{whole, several} {
		score, err := s.bestScore(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		best = append(best, math.Round(1e9*score)/1e9)
	}
	if best[0] != best[1] {
		t.Errorf("%s: the best score is %v", q.Strategy, best)
	}
}
