package retrieve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// ranked returns what an answer of some sources is made of: places with their points, best first.
func ranked(t *testing.T, s Sources, q Query) []string {
	t.Helper()
	results, err := s.rank(t.Context(), q)
	if err == nil {
		results, err = s.choose(t.Context(), q, results)
	}
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, r := range results {
		list = append(list, fmt.Sprintf("%s/%s %d %.2f %.9f", r.Root.Path, r.ID, r.Score, r.Rounded, r.Strength))
	}
	return list
}

// Of each source an answer has the beginning of what that source alone answers, points included. The stronger
// memory comes first, and of equal ones that of the earlier source. An answer is the beginning of a longer one.
func TestEachSourceRanksByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for round := range 2 {
		var several Sources
		for i := range 2 + round {
			memories := invented(random, 5+random.IntN(30), func() int { return 40 })
			for n := range memories {
				memories[n].ID = fmt.Sprintf("of%d-%s", i, memories[n].ID) // none stands for another one
			}
			several = append(several, index(t, fmt.Sprint(i), memories))
		}
		for range 6 {
			prompt := some(random, 2+random.IntN(6))
			described := []schemas.Description{{Category: "decision", Text: "kafka and webhooks"}}
			gated := NewHybridQuery(prompt, nil, 12)
			gated.Chance = 0.075
			for _, q := range []Query{
				NewHybridQuery(prompt, nil, 12), gated, NewQuery(prompt, described, 12, time.Time{}),
			} {
				together := ranked(t, several, q)
				hits += len(together)
				for _, source := range several {
					alone := ranked(t, source.Alone(), q)
					foreign := func(r string) bool { return !strings.HasPrefix(r, source.Root.Path+"/") }
					of := slices.DeleteFunc(slices.Clone(together), foreign)
					if diff := cmp.Diff(alone[:min(len(of), len(alone))], of); diff != "" {
						t.Errorf("%s %q: (-root %s alone +together)\n%s", q.Strategy, prompt, source.Root.Path, diff)
					}
				}
				short := q
				short.Limit = 5
				if diff := cmp.Diff(together[:min(len(together), 5)], ranked(t, several, short)); diff != "" {
					t.Errorf("%s %q: (-12 results +5)\n%s", q.Strategy, prompt, diff)
				}
				checkOrder(t, several, q)
			}
		}
	}
	if hits < 100 {
		t.Errorf("the prompts find %d memories", hits)
	}
}

func checkOrder(t *testing.T, s Sources, q Query) {
	t.Helper()
	results, err := s.rank(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(results) - 1 {
		a, b := results[i], results[i+1]
		if a.Score < b.Score || a.Rounded < b.Rounded {
			t.Errorf("%s: %s is weaker than %s, which follows it", q.Strategy, a.ID, b.ID)
		}
		if a.Score == b.Score && a.Rounded == b.Rounded && a.Root.Path > b.Root.Path {
			t.Errorf("%s: %s comes before %s of an earlier source, which is as strong", q.Strategy, a.ID, b.ID)
		}
	}
}

// noted returns a memory that is its title.
func noted(category schemas.Category, id, title string) schemas.Memory {
	content := &schemas.DecisionContent{}
	return schemas.Memory{ID: id, Title: title, Category: category, RecordStatus: schemas.Active, Content: content}
}

// The best memory of a source may be a poor one. It does not come before good ones of another source.
func TestPoorMatchOfOneSourceDoesNotComeBeforeGoodOnesOfAnother(t *testing.T) {
	project := index(t, "project", []schemas.Memory{
		noted(schemas.Preference, "lag", "Kafka consumer lag of the ledger"),
		noted(schemas.Preference, "retry", "Kafka consumer retries"),
		noted(schemas.Preference, "size", "Kafka consumer batch size"),
	})
	user := index(t, "user", []schemas.Memory{
		noted(schemas.Preference, "prose",
			"Prose about the ledger of the household and its many other books is Danish"),
		noted(schemas.Preference, "editor", "Neovim edits prose"),
	})
	for prompt, want := range map[string]struct{ search, hook string }{
		"lag of the kafka consumer and of a ledger group in the staging cluster": {"lag retry size prose", "lag retry size prose"},
		"which editor for prose, is it neovim":                                   {"editor prose", "editor prose"},
	} {
		search, hook := NewHybridQuery(prompt, nil, 5), NewHybridQuery(prompt, nil, 5)
		hook.Chance, hook.UserShare, hook.Current = 0.075, 2, true
		for q, want := range map[*Query]string{&search: want.search, &hook: want.hook} {
			var ids []string
			for _, r := range ranked(t, Sources{project, user}, *q) {
				id, _, _ := strings.Cut(r[strings.Index(r, "/")+1:], " ")
				ids = append(ids, id)
			}
			if got := strings.Join(ids, " "); got != want {
				t.Errorf("%q, chance %v: got %s, want %s", prompt, q.Chance, got, want)
			}
		}
	}
}
