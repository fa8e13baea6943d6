package retrieve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/db"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
)

func TestShortPrompts(t *testing.T) {
	for prompt, searched := range map[string][2]bool{ // by title_tags, by hybrid
		"kafka":        {false, false},
		"kafka topic":  {true, true},
		"릴리스 노트":       {false, true},
		"카프카":          {false, false},
		"카프카 topic 느려": {true, true},
	} {
		for i, strategy := range []string{schemas.TitleTags, schemas.Hybrid} {
			s := retrieve.Searcher{Config: settings(strategy)}
			if silent := s.Silence(prompt, s.Prompt(prompt)); silent == "" != searched[i] {
				t.Errorf("%s, %q: %q", strategy, prompt, silent)
			}
		}
	}
}

func settings(strategy string) schemas.Config {
	cfg := schemas.DefaultConfig()
	cfg.Retrieval.MatchStrategy = strategy
	return cfg
}

// rowsBy returns the rows of a search with a strategy.
func rowsBy(t *testing.T, source retrieve.Source, strategy, prompt string) []retrieve.Row {
	t.Helper()
	return rowsOfQuery(t, source, retrieve.Searcher{Config: settings(strategy)}.Query(prompt, 10))
}

func relevances(t *testing.T, d *db.DB, q retrieve.Query) map[string]float64 {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "memory")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(dir) // without files, the title is the summary
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, row := range rowsOfQuery(t, retrieve.Source{DB: d, Root: root}, q) {
		scores[row.ID] = row.Relevance
	}
	return scores
}

func TestRelevanceIsTheShareOfTheBest(t *testing.T) {
	memories := []schemas.Memory{
		active("both", "kafka partitions", "", "kafka", "partitions"),
		active("titled", "kafka rebalances slowly", ""),
		active("tagged", "something", "", "kafka"),
	}
	for i := range 30 {
		memories = append(memories, active(fmt.Sprintf("other-%d", i), "other words entirely", ""))
	}
	d := indexOf(t, memories...)
	for _, test := range []struct {
		name, prompt         string
		titleTags, hybridOne map[string]float64
	}{
		{"every word in the strongest way", "kafka partitions",
			map[string]float64{"both": 1, "titled": 0.2, "tagged": 0.3}, map[string]float64{"both": 1}},
		{"an exact title, of words that are no tags", "kafka rebalances slowly",
			map[string]float64{"both": 0.56, "titled": 0.67, "tagged": 0.33}, map[string]float64{"titled": 1}},
		{"words that no memory has", "kafka zebra crossings",
			map[string]float64{"both": 0.56, "titled": 0.22, "tagged": 0.33}, map[string]float64{}},
		{"another order", "partitions kafka",
			map[string]float64{"both": 1, "titled": 0.2, "tagged": 0.3}, map[string]float64{"both": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.titleTags, relevances(t, d, retrieve.Searcher{Config: settings(schemas.TitleTags)}.Query(test.prompt, 5))); diff != "" {
				t.Errorf("title_tags (-want +got):\n%s", diff)
			}
			for id, relevance := range relevances(t, d, retrieve.NewHybridQuery(test.prompt, nil, 5)) {
				if want, certain := test.hybridOne[id]; certain && relevance != want || !certain && relevance > 0.85 {
					t.Errorf("hybrid: %s has %v", id, relevance)
				}
			}
		})
	}
}

// A memory with one of several synonyms does not need the others.
func TestOneSynonymIsEnough(t *testing.T) {
	memories := []schemas.Memory{active("limit", "rate limit of the gateway", "", "limit")}
	for i := range 30 {
		memories = append(memories, active(fmt.Sprintf("other-%d", i), "throttle of other words", ""))
	}
	d := indexOf(t, memories...)
	synonyms, _ := text.ParseSynonyms("rate limit, throttle, quota, ceiling")
	const prompt = "rate limit gateway"
	without := relevances(t, d, retrieve.NewHybridQuery(prompt, nil, 1))["limit"]
	if with := relevances(t, d, retrieve.NewHybridQuery(prompt, synonyms, 1))["limit"]; with < without || without < 0.85 {
		t.Errorf("%v with synonyms, %v without", with, without)
	}
}

// A memory's own title expands it fully; a vague prompt expands nothing.
func TestCertainMatchesAreExpanded(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		memories, err := retrieve.List(t.Context(), source.DB, retrieve.Filter{Statuses: []schemas.Status{schemas.Active}, Limit: 100}, "path")
		if err != nil {
			t.Fatal(err)
		}
		for _, strategy := range schemas.Strategies {
			expanded := 0
			for _, m := range memories {
				d, err := retrieve.Sources{source}.Disclose(t.Context(), rowsBy(t, source, strategy, m.Title), retrieve.DefaultBudget)
				if err != nil {
					t.Fatal(err)
				}
				if d.Expanded == retrieve.DetailLayer && strings.HasSuffix(d.ID, m.ID) { // two memories share an id
					expanded++
				} else if d.Expanded == retrieve.DetailLayer {
					t.Errorf("%s: the title of %s expands %s", strategy, m.ID, d.ID)
				}
			}
			if 10*expanded < 8*len(memories) {
				t.Errorf("%s: %d of %d titles expand their memories", strategy, expanded, len(memories))
			}
			for _, vague := range []string{"how does our deployment of services work in general?", "what should I know about this project?", "slow requests in the api"} {
				d, err := retrieve.Sources{source}.Disclose(t.Context(), rowsBy(t, source, strategy, vague), retrieve.DefaultBudget)
				if err != nil || d.Expanded != retrieve.IndexLayer {
					t.Errorf("%s: %q expands %s (%s), %v", strategy, vague, d.ID, d.Reason, err)
				}
			}
		}
	})
}

// Relevance falls from row to row, except where confidence and age break a tie of
// strength.
func TestRelevanceFallsWithTheRank(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		for _, prompt := range append(prompts, "kafka", "run the tests again", "웹훅 재시도 정책", "数据库") {
			rows := rowsBy(t, source, schemas.Hybrid, prompt)
			rows = slices.DeleteFunc(rows, func(r retrieve.Row) bool { return r.Type != retrieve.MemoryType })
			for i, row := range rows {
				if row.Relevance < 0 || row.Relevance > 1 || i > 0 && row.Relevance > rows[i-1].Relevance+0.02 {
					t.Errorf("%q: row %d has %v", prompt, i, row.Relevance)
				}
			}
		}
	})
}
