package hub

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/features/hub/remote"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// lines decodes the lines of a file of testdata/quality.
func lines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	data, err := os.ReadFile("../testdata/quality/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(bytes.NewReader(data)); scanner.Scan(); {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		list = append(list, line)
	}
	return list
}

// qualityNotes returns the notes of testdata/quality as memories.
func qualityNotes(t *testing.T) (memories []schemas.Memory) {
	t.Helper()
	type note struct {
		Category  schemas.Category
		ID, Title string
		Tags      []string
		Text      string
	}
	for i, n := range slices.Concat(lines[note](t, "shop/notes.jsonl"), lines[note](t, "podcast/notes.jsonl")) {
		at := schemas.FormatTime(time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC))
		memories = append(memories, schemas.Memory{
			SchemaVersion: "1.0", Category: n.Category, ID: fmt.Sprintf("%s-%d", n.ID, i), Title: n.Title,
			RecordStatus: schemas.Active,
			CreatedAt:    at, UpdatedAt: at, Tags: n.Tags, Content: contentOf(n.Category, n.Text),
		})
	}
	return memories
}

// contentOf returns a valid content with a text.
func contentOf(category schemas.Category, text string) schemas.Content {
	unknown := []string{"unknown"}
	switch category {
	case schemas.Constraint:
		return &schemas.ConstraintContent{Kind: "policy", Rule: text, Impact: unknown, Severity: "low",
			Active: new(true)}
	case schemas.Preference:
		return &schemas.PreferenceContent{Topic: "none", Value: text, Reason: "unknown", Strength: "default"}
	case schemas.Runbook:
		return &schemas.RunbookContent{Trigger: text, Steps: unknown, Verification: "unknown"}
	case schemas.TechDebt:
		return &schemas.TechDebtContent{Status: "open", Priority: "low", Description: text, ReasonDeferred: "unknown"}
	case schemas.SessionSummary:
		return &schemas.SessionContent{Goal: text, Outcome: "success", Completed: unknown, NextActions: unknown}
	}
	return &schemas.DecisionContent{Status: "accepted", Context: text, Decision: "unknown", Rationale: unknown}
}

func fileOf(t *testing.T, m schemas.Memory) remote.File {
	t.Helper()
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	info, _ := m.Category.Info()
	return remote.File{Path: info.Folder + "/" + m.ID + ".json", Memory: data}
}

// spread publishes memories to several repositories.
func spread(t *testing.T, h testHub, repositories int, memories []schemas.Memory) {
	t.Helper()
	files := make([][]remote.File, repositories)
	for i, m := range memories {
		files[i%repositories] = append(files[i%repositories], fileOf(t, m))
	}
	for i, list := range files {
		mustPublish(t, h, anna, remote.Publication{Repository: fmt.Sprintf("github.com/acme/r%d", i),
			Commit: commitOf(1), Sequence: 1, Memories: list})
	}
}

func indexOf(t *testing.T, memories []schemas.Memory) *db.DB {
	t.Helper()
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Update(t.Context(), func(tx *db.Tx) error {
		loader := tx.Load()
		for _, m := range memories {
			if err := loader.Add(db.Entry{File: db.File{Path: fileOf(t, m).Path}, Memory: &m}); err != nil {
				return err
			}
		}
		return loader.Close()
	}); err != nil {
		t.Fatal(err)
	}
	return d
}

// nameOf returns the path of a memory without its extension.
func nameOf(path string) string { return strings.TrimSuffix(path, ".json") }

// With the weights of a project and the numbers of phrases, which a hub does not know, one of several repositories ranks
// as an index of all memories does.
func TestSearchRanksAsAnIndexOfAllRepositories(t *testing.T) {
	defer func(query string) { searchSQL = query }(searchSQL)
	searchSQL = strings.NewReplacer(
		"10 * f.title + 5 * f.tags + 2 * f.body", "3 * f.title + 1.5 * f.tags + 0.6 * f.body",
		"10 * o.title + 5 * o.tags + 2 * o.body", "3 * o.title + 1.5 * o.tags + 0.6 * o.body",
		"JOIN phrases p USING (place)", `JOIN (
			SELECT p.place, p.part, ln((h.pages - o.memories + 0.5) / (o.memories + 0.5)) AS idf
			FROM phrases p
			JOIN (SELECT place, count(*) AS memories FROM occurrences GROUP BY place) o USING (place)
			CROSS JOIN hub h
		) p USING (place)`).Replace(searchSQL)
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	memories := slices.DeleteFunc(qualityNotes(t), func(m schemas.Memory) bool {
		return len([]rune(m.Text())) > 480 // a hub counts the words of whole texts, an index those of a first page
	})
	archived := memories[0] // it counts, though it is not found
	archived.ID, archived.Title, archived.Tags = "archived", "PostgreSQL", []string{"postgresql"}
	archived.RecordStatus, archived.ArchivedAt, archived.ArchivedReason = schemas.Archived, archived.UpdatedAt,
		"no longer true"
	archived.Content = contentOf(archived.Category, "nothing")
	memories = append(memories, archived)
	spread(t, h, 5, memories)
	index := indexOf(t, memories)
	type line struct{ Prompt string }
	prompts := []line{{"where is the pull request template?"}, {"createdAt of an order_id in C++"}, {"커밋해줘"},
		{"정산하려면 배포 파이프라인을 어떻게"}, {"plan b"}, {"the database databases and the postgres"}, {"पॉडकास्ट की सूची"}}
	for _, name := range []string{"shop/prompts.jsonl", "shop/fresh.jsonl", "podcast/prompts.jsonl"} {
		prompts = append(prompts, lines[line](t, name)...)
	}
	found := 0
	for _, p := range prompts {
		q := retrieve.NewHybridQuery(p.Prompt, nil, 10)
		q.Last = "" // a hub takes the last word as finished
		corrected, err := retrieve.Sources{{DB: index}}.Corrected(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(corrected) > 0 { // which a hub does not do
			continue
		}
		want, err := retrieve.Rank(t.Context(), index, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.Search(t.Context(), anna, remote.Query{Query: p.Prompt})
		if err != nil {
			t.Fatal(err)
		}
		var wantRows, gotRows []string
		for _, r := range want {
			wantRows = append(wantRows, fmt.Sprintf("%s %.2f", nameOf(r.Path), r.Strength))
		}
		for _, r := range got.Results {
			gotRows = append(gotRows, fmt.Sprintf("%s %.2f", nameOf(r.Path), r.Strength))
		}
		if diff := cmp.Diff(wantRows, gotRows); diff != "" {
			t.Errorf("%q (-want +got):\n%s", p.Prompt, diff)
		}
		found += len(got.Results)
	}
	if found < 3*len(prompts) {
		t.Errorf("only %d results of %d prompts: they compare too little", found, len(prompts))
	}
}

// mustSearch returns the names of the results.
func mustSearch(t *testing.T, h testHub, by Principal, q remote.Query) []string {
	t.Helper()
	found, err := h.Search(t.Context(), by, q)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, r := range found.Results {
		names = append(names, nameOf(r.Path))
	}
	return names
}

// strengths returns the strength of each result by its id.
func strengths(t *testing.T, h testHub, prompt string) map[string]string {
	t.Helper()
	found, err := h.Search(t.Context(), anna, remote.Query{Query: prompt, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]string{}
	for _, r := range found.Results {
		byID[r.ID] = fmt.Sprintf("%.6f %.6f", r.Strength, r.Evidence)
	}
	return byID
}

func TestSearchOfManyRepositories(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	spread(t, h, 3, qualityNotes(t))
	q := remote.Query{Query: "why is the search index in postgres, and how are carts kept?", MinEvidence: 0.2}
	before := mustSearch(t, h, anna, q)
	h.exec(t, `
		INSERT INTO repositories (name, commit_sha, sequence, published_at, published_by, memories)
		SELECT 'github.com/acme/empty' || n, '', 1, now(), '', 0
		FROM generate_series(1, 150) n`)
	after := mustSearch(t, h, anna, q)
	if diff := cmp.Diff(before, after); diff != "" || len(before) < 3 {
		t.Errorf("(-few +many):\n%s", diff)
	}
}

// Frequencies that are not merged yet count.
func TestSearchBeforeFrequenciesAreMerged(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	spread(t, h, 3, qualityNotes(t))
	const prompt = "why is the search index in postgres, and how are carts kept?"
	before := strengths(t, h, prompt)
	if err := h.MergeFrequencies(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, strengths(t, h, prompt)); diff != "" || len(before) == 0 {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// A plan that was kept for an empty hub would be too slow for a full one.
func TestALargePublicationRenewsStatistics(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	mustPublish(t, h, anna, publication(1, note("a", "Kafka keeps events")))
	known := func() float32 {
		return rows[float32](t, h, `SELECT reltuples FROM pg_class WHERE oid = 'postings'::regclass`)[0]
	}
	if n := known(); n > 0 {
		t.Fatalf("statistics of %v postings after a small publication", n)
	}
	files := make([]remote.File, manyMemories+1)
	for i := range files {
		files[i] = note(fmt.Sprintf("n%d", i), fmt.Sprintf("Kafka keeps events of shop %d", i))
	}
	mustPublish(t, h, anna, publication(2, files...))
	if n := known(); n < manyMemories {
		t.Errorf("statistics of %v postings after a large publication", n)
	}
}

func TestSearchFilters(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	archived := noteWith("archived", "Kafka was kept", []string{"kafka"}, map[string]any{
		"record_status": "archived", "archived_at": "2026-03-02T12:00:00Z", "archived_reason": "no longer true",
	})
	preference := fileOf(t, schemas.Memory{
		SchemaVersion: "1.0", Category: schemas.Preference, ID: "names", Title: "Kafka topics are named after teams",
		RecordStatus: schemas.Active,
		CreatedAt:    "2026-03-01T12:00:00Z", UpdatedAt: "2026-03-01T12:00:00Z", Tags: []string{"naming"},
		Content: &schemas.PreferenceContent{Topic: "names", Value: "teams", Reason: "order", Strength: "default"},
	})
	mustPublish(t, h, anna, publication(1,
		note("kafka", "Kafka keeps events for 14 days", "kafka"), note("redis", "Redis holds sessions", "redis"),
		archived, preference,
		noteWith("aside", "Events are in JSON", []string{"json"}, said("as the one of kafka"))))
	for name, tt := range map[string]struct {
		query remote.Query
		want  []string
	}{
		"all": {remote.Query{Query: "kafka"}, []string{"decisions/kafka", "preferences/names",
			"decisions/aside"}},
		"limit":          {remote.Query{Query: "kafka", Limit: 1}, []string{"decisions/kafka"}},
		"category":       {remote.Query{Query: "kafka", Category: "preference"}, []string{"preferences/names"}},
		"other category": {remote.Query{Query: "kafka", Category: "runbook"}, []string{}},
		"evidence": {remote.Query{Query: "kafka", MinEvidence: 0.25},
			[]string{"decisions/kafka", "preferences/names"}},
		"much evidence":  {remote.Query{Query: "kafka", MinEvidence: 5}, []string{}},
		"nothing":        {remote.Query{Query: "zebra"}, []string{}},
		"no words":       {remote.Query{Query: "?!"}, []string{}},
		"function words": {remote.Query{Query: "how is it"}, []string{}},
		"SQL": {remote.Query{Query: `kafka'); DROP TABLE memories; -- " \ $1 %s ::tsquery <-> ! & | (:*`,
			Limit: 1}, []string{"decisions/kafka"}},
		"a long query": {remote.Query{Query: strings.Repeat("kafka x1y2 rotation ", 3000), Limit: 1},
			[]string{"decisions/kafka"}},
		"not in a title": {remote.Query{Query: "한국어 카프카", Limit: 1}, []string{"decisions/kafka"}},
		"unusual letters": {remote.Query{Query: "ب\u200fא e\u0301\u0301 'a\\ \U0001F642 kafka", Limit: 1},
			[]string{"decisions/kafka"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, mustSearch(t, h, anna, tt.query)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchRefuses(t *testing.T) {
	h := newHub(t)
	for field, q := range map[string]remote.Query{
		"query":        {Query: " \n"},
		"limit":        {Query: "kafka", Limit: 51},
		"min_evidence": {Query: "kafka", MinEvidence: -1},
		"category":     {Query: "kafka", Category: "preference' OR true"},
	} {
		_, err := h.Search(t.Context(), anna, q)
		if e := wantCode(t, err, "bad_request"); e.Field != field {
			t.Errorf("%s: the error is about %q", field, e.Field)
		}
	}
}

func TestSearchNamesTheSource(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	mustPublish(t, h, anna, publication(3, note("kafka", "Kafka keeps events for 14 days", "kafka", "events")))
	found, err := h.Search(t.Context(), anna, remote.Query{Query: "kafka"})
	if err != nil || len(found.Results) != 1 {
		t.Fatalf("%v, %v", err, found)
	}
	r := found.Results[0]
	if time.Since(r.PublishedAt).Abs() > time.Hour || r.Tokens < 50 || r.Strength <= 0.5 || r.Evidence <= 0.5 {
		t.Errorf("%+v", r)
	}
	want := remote.Row{
		ID: payments + ":decisions/kafka", Provenance: remote.Provenance{Repository: payments, Commit: commitOf(3),
			PublishedAt: r.PublishedAt},
		Path: "decisions/kafka.json", Category: "decision", Title: "Kafka keeps events for 14 days",
		Tags:   []string{"events", "kafka"},
		Status: "active", CreatedAt: "2026-03-01T12:00:00Z", UpdatedAt: "2026-03-02T12:00:00Z", Tokens: r.Tokens,
	}
	if diff := cmp.Diff(want, r.Row); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
