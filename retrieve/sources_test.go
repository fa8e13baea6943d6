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
	"memctl/memdir"
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
	return Source{DB: d, Root: memdir.Root{Path: name}}
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

// ranked returns the answer of some sources: places with their points, best first.
func ranked(t *testing.T, s Sources, q Query) []string {
	t.Helper()
	results, err := s.rank(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, r := range s.choose(q, results) {
		list = append(list, fmt.Sprintf("%s/%s %d %.9f %.9f", r.Root.Path, r.ID, r.Score, r.Strength, r.Evidence))
	}
	return list
}

// asSearch returns the query of a search, which gives what has too little evidence too.
func asSearch(prompt string, limit int) Query {
	q := NewHybridQuery(prompt, nil, limit)
	q.Floor, q.Rising, q.Ungated, q.Patient = 0.5, true, true, true
	return q
}

// Of each source an answer has the beginning of what that source alone answers, points included. An
// answer is the beginning of a longer one.
func TestEachSourceRanksByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
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
			for _, q := range []Query{
				asSearch(prompt, 12), NewHybridQuery(prompt, nil, 12), NewQuery(prompt, described, 12, time.Time{}),
			} {
				together := ranked(t, several, q)
				found += len(together)
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
			}
		}
	}
	if found < 100 {
		t.Errorf("the prompts find %d memories", found)
	}
}

// A letter is a result, a capital one is convincing; a comma parts the sources.
func TestInTurn(t *testing.T) {
	for name, test := range map[string]struct{ lists, want string }{
		"one source":                     {"AbC", "AbC"},
		"the project's first":            {"AB,CD", "ACBD"},
		"three sources":                  {"AB,C,DEF", "ACDBEF"},
		"a poor match comes last":        {"AB,c", "ABc"},
		"also if it is the first of all": {"ab,C", "Cab"},
		"a source keeps its order":       {"aB,C", "aBC"},
		"what is left, one at a time":    {"Aab,Bcd", "ABacbd"},
		"nothing":                        {",", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var lists [][]Result
			for list := range strings.SplitSeq(test.lists, ",") {
				var results []Result
				for _, letter := range list {
					results = append(results, Result{Entry: Entry{ID: string(letter)}})
				}
				lists = append(lists, results)
			}
			got := ""
			for _, r := range inTurn(lists, func(r Result) bool { return r.ID < "a" }) {
				got += r.ID
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// noted returns a memory that is its title.
func noted(category schemas.Category, id, title string) schemas.Memory {
	content := &schemas.DecisionContent{}
	return schemas.Memory{ID: id, Title: title, Category: category, RecordStatus: schemas.Active, Content: content}
}

// A shorter answer is the beginning of a longer one, also where poor matches stand before a good one.
func TestTurnsDoNotDependOnTheLimit(t *testing.T) {
	var poor []schemas.Memory
	for i := range 3 {
		id := fmt.Sprint("poor", i)
		title := "Please explain and run the function or fix what the nightly janitor of the old warehouse left "
		poor = append(poor, noted(schemas.Decision, id, title+id))
	}
	project := index(t, "project", append(poor, noted(schemas.Decision, "kafka", "Kafka")))
	user := index(t, "user", []schemas.Memory{
		noted(schemas.Decision, "lag", "Kafka lag"), noted(schemas.Decision, "topics", "Kafka topics"),
	})
	const prompt = "please run, explain and fix the function with kafka"
	long := ranked(t, Sources{project, user}, asSearch(prompt, 10))
	if len(long) != 6 || !strings.HasPrefix(long[0], "project/poor") || !strings.HasPrefix(long[3], "project/kafka") {
		t.Errorf("got %q, want poor matches before the good one", long)
	}
	if diff := cmp.Diff(long[:2], ranked(t, Sources{project, user}, asSearch(prompt, 2))); diff != "" {
		t.Errorf("(-10 results +2)\n%s", diff)
	}
}

// The best match of a root may be a poor one: its place does not lift it above good ones of another root.
func TestAPoorMatchDoesNotComeBeforeGoodOnes(t *testing.T) {
	project := index(t, "project", []schemas.Memory{
		noted(schemas.Preference, "lag", "Kafka consumer lag of the ledger"),
		noted(schemas.Preference, "retry", "Kafka consumer retries"),
		noted(schemas.Preference, "size", "Kafka consumer batch size"),
	})
	user := index(t, "user", []schemas.Memory{
		noted(schemas.Preference, "prose", "Prose about the ledger of the household and its many other books is Danish"),
		noted(schemas.Preference, "editor", "Neovim edits prose"),
	})
	for prompt, want := range map[string]struct{ search, hook string }{
		"lag of the kafka consumer and of a ledger group in the staging cluster": {"lag retry size prose", "lag retry size"},
		"which editor for prose, is it neovim":                                   {"editor prose", "editor"},
	} {
		hook := NewHybridQuery(prompt, nil, 5)
		hook.Floor, hook.Rising, hook.UserShare, hook.Current = 0.5, true, 2, true
		for q, want := range map[*Query]string{new(asSearch(prompt, 5)): want.search, &hook: want.hook} {
			var ids []string
			for _, r := range ranked(t, Sources{project, user}, *q) {
				id, _, _ := strings.Cut(r[strings.Index(r, "/")+1:], " ")
				ids = append(ids, id)
			}
			if got := strings.Join(ids, " "); got != want {
				t.Errorf("%q, gated %t: got %s, want %s", prompt, !q.Ungated, got, want)
			}
		}
	}
}
