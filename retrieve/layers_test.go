package retrieve_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/db"
	"memctl/files"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// withParcel runs fn on an index of the sample store with four observations.
func withParcel(t *testing.T, fn func(retrieve.Source)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "memory")
	if err := os.CopyFS(dir, os.DirFS("../testdata/stores/parcel")); err != nil {
		t.Fatal(err)
	}
	twin := `{"category": "runbook", "title": "Kafka message size, a twin", "tags": ["twin"], "created_at": "2025-04-25T00:00:00Z",
		"content": {"trigger": "Superseded by transactional-outbox. Nobody reads it.", "steps": ["run ` + "`make`" + `"]}}`
	if err := os.WriteFile(filepath.Join(dir, "runbooks", "kafka-message-size.json"), []byte(twin), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = indexer.Use(t.Context(), root, indexer.Full, func(ix *indexer.Index) error {
		for i, session := range []string{"one", "one", "two", "one"} {
			observe(t, ix.DB, i, session)
		}
		fn(retrieve.Source{DB: ix.DB, Root: root})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// observationID returns the id of the n-th observation. The ids share a prefix.
func observationID(n int) string { return fmt.Sprintf("0b5e%04d-1111-4222-8333-444455556666", n) }

func observe(t *testing.T, d *db.DB, n int, session string) {
	t.Helper()
	payload := fmt.Sprintf(`{"tool_name":"Bash","tool_input":{},"tool_output":"","success":%t,"metadata":{"command":"zebra crossing %d"}}`, n != 1, n)
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{`INSERT INTO observations (observation_id, path, event_id, session_id, timestamp, prompt_index, tool_index, tool_name, success, command, payload)
			VALUES (?, ?, ?, ?, ?, 1, 1, 'Bash', ?, ?, ?) RETURNING observation_id`,
			[]any{n + 1, "observations/" + session + ".jsonl", observationID(n), session, fmt.Sprintf("2025-04-24T12:19:3%d.500Z", n), n != 1, fmt.Sprintf("zebra crossing %d", n), payload}},
		{`INSERT INTO observations_fts (rowid, document) SELECT observation_id, document FROM observation_documents WHERE observation_id = ? RETURNING rowid`, []any{n + 1}},
	} {
		var ids []int
		if err := d.Select(t.Context(), &ids, statement.query, statement.args...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLookup(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		for _, test := range []struct {
			name, id string
			path     string // found
			unclear  bool
			hint     string
		}{
			{name: "a whole id", id: "transactional-outbox", path: "decisions/transactional-outbox.json"},
			{name: "a clear beginning", id: "trans", path: "decisions/transactional-outbox.json"},
			{name: "a category's", id: "runbook:kafka-message-size", path: "runbooks/kafka-message-size.json"},
			{name: "the beginning of a category's", id: "constraint:kafka", path: "constraints/kafka-message-size.json"},
			{name: "a retired one", id: "logrus", path: "preferences/logrus-fields.json"},
			{name: "an observation", id: observationID(2), path: "observations/two.jsonl"},
			{name: "its beginning", id: "0b5e0002", path: "observations/two.jsonl"},
			{name: "one of two", id: "kafka-message-size", unclear: true, hint: "give one of constraint:kafka-message-size, runbook:kafka-message-size"},
			{name: "an unclear beginning", id: "0b5e", unclear: true, hint: fmt.Sprintf("give one of %s, %s, %s, %s", observationID(0), observationID(1), observationID(2), observationID(3))},
			{name: "part of one", id: "outbox", unclear: true, hint: "did you mean transactional-outbox?"},
			{name: "none", id: "zzz", unclear: true},
			{name: "a wildcard", id: "%", unclear: true},
			{name: "a path", id: "decisions/transactional-outbox"},
			{name: "a path upwards", id: "..", unclear: true},
			{name: "a file", id: "transactional-outbox.json"},
			{name: "nothing", id: ""},
		} {
			t.Run(test.name, func(t *testing.T) {
				ref, err := source.Alone().Lookup(t.Context(), test.id)
				unclear := new(retrieve.Unclear)
				if isUnclear := errors.As(err, &unclear); isUnclear != test.unclear || unclear.Hint() != test.hint {
					t.Errorf("got %+v, %v, hint %q", ref, err, unclear.Hint())
				}
				if (err == nil) != (test.path != "") || err == nil && ref.Path != test.path {
					t.Errorf("got %+v, %v", ref, err)
				}
			})
		}
	})
}

func events(t *testing.T, source retrieve.Source, id string, window int) string {
	t.Helper()
	ref, err := source.Alone().Lookup(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	timeline, err := source.Alone().Timeline(t.Context(), ref, window)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range timeline.Events {
		mark := ""
		if e.Target {
			mark = ">"
		}
		id, _, _ := strings.Cut(e.ID, "-1111")
		list = append(list, mark+id+" "+e.Event)
	}
	return strings.Join(list, ", ")
}

func TestTimeline(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		for _, test := range []struct {
			name, id string
			window   int
			want     string
		}{
			{"around a memory are tools of any session", "constraint:kafka-message-size", 1,
				"0b5e0000 ran, >kafka-message-size created, 0b5e0001 failed"},
			{"around a tool are those of its session", observationID(1), 2,
				"0b5e0000 ran, kafka-message-size created, >0b5e0001 failed, 0b5e0003 ran, kafka-message-size created"},
			{"at the very first event", "commit-message-style", 1, ">commit-message-style created, logrus-fields created"},
			{"no window", "transactional-outbox", 0, ">transactional-outbox created"},
			{"a retired one", "offset-pagination-parcel-list", 0, ">offset-pagination-parcel-list retired"},
		} {
			t.Run(test.name, func(t *testing.T) {
				if got := events(t, source, test.id, test.window); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
			})
		}
	})
}

func TestTimelineEndsWithTheLastEvent(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		var last []string
		if err := source.DB.Select(t.Context(), &last, `SELECT id FROM memories ORDER BY updated_unix DESC LIMIT 1`); err != nil {
			t.Fatal(err)
		}
		if got := events(t, source, last[0], 3); !strings.Contains(got, ">"+last[0]) || strings.Index(got, ">") < strings.LastIndex(got, ",") {
			t.Errorf("the last is not the last: %s", got)
		}
	})
}

func TestDetailHasRelations(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		detail := func(id string) retrieve.Detail {
			ref, err := source.Alone().Lookup(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			d, err := source.Alone().Detail(t.Context(), ref)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		has := func(d retrieve.Detail, want string) {
			t.Helper()
			if !slices.ContainsFunc(d.Relations, func(r retrieve.Relation) bool { return r.String() == want }) {
				t.Errorf("%s has no relation %q in %v", d.ID, want, d.Relations)
			}
		}
		outbox, twin := detail("transactional-outbox"), detail("runbook:kafka-message-size")
		has(outbox, "same_files kafka-message-size (cmd/relay/main.go)")
		has(outbox, "supersedes kafka-message-size")
		has(twin, "superseded_by transactional-outbox")
		has(detail("webhook-idempotency-keys"), "renamed_from (Deterministic idempotency keys for webhooks)")
		if !twin.HasCode || outbox.TokenCount != text.Cost(string(outbox.Stored)) || len(outbox.Files) == 0 {
			t.Errorf("code %t, %d tokens, files %v", twin.HasCode, outbox.TokenCount, outbox.Files)
		}
		if o := detail(observationID(1)); o.Type != retrieve.ObservationType || !slices.Equal(o.Tools, []string{"Bash"}) || !strings.Contains(string(o.Stored), "zebra crossing 1") {
			t.Errorf("the observation is %+v", o)
		}
		if row := rowsOf(t, source, "zebra", 1)[0]; row.Tokens != detail(row.ID).TokenCount || row.Summary != "Command: zebra crossing 3 / Result: Success" {
			t.Errorf("the row %+v is of %+v", row, detail(row.ID))
		}
	})
}

// rowsOf returns the rows of a search with the default strategy.
func rowsOf(t *testing.T, source retrieve.Source, prompt string, limit int) []retrieve.Row {
	t.Helper()
	return rowsOfQuery(t, source, retrieve.Searcher{Config: schemas.DefaultConfig()}.Query(prompt, limit))
}

func rowsOfQuery(t *testing.T, source retrieve.Source, q retrieve.Query) []retrieve.Row {
	t.Helper()
	results, err := retrieve.Rank(t.Context(), source.DB, q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		results[i].Root = source.Root
	}
	rows, err := source.Alone().Index(t.Context(), q, results)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestIndexHasMemoriesThenObservations(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		rows := rowsOf(t, source, "zebra kafka", 40)
		observed := rows[len(rows)-4:]
		for _, r := range observed {
			if r.Type != retrieve.ObservationType || r.Relevance != 0.2 || r.Category != "Bash" || r.Summary == "" {
				t.Errorf("row %+v", r)
			}
		}
		if slices.ContainsFunc(rows[:len(rows)-4], func(r retrieve.Row) bool { return r.Type != retrieve.MemoryType }) {
			t.Errorf("memories do not come first: %v", rows)
		}
		if rows := rowsOf(t, source, "zebra", 3); len(rows) != 3 || rows[0].ID != observationID(3) {
			t.Errorf("alone observations are %v", rows)
		}
		for _, r := range rowsOf(t, source, "kafka", 20) {
			if _, err := source.Alone().Lookup(t.Context(), r.ID); err != nil {
				t.Errorf("a row's id leads nowhere: %v", err)
			}
		}
	})
}

func TestObservationsReplaceOnlyLessRelevantMemories(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		for _, test := range []struct {
			name, prompt    string
			limit, memories int
		}{
			{"no memory is weaker", "zebra kafka", 6, 6},
			{"the last are weaker", "zebra crossing zeppelin tracking", 6, 4},
			{"all are weaker, but a third is the most", "zebra crossing success tracking", 3, 2},
			{"a third of one is none", "zebra crossing success tracking", 1, 1},
		} {
			t.Run(test.name, func(t *testing.T) {
				memories := 0
				rows := rowsOf(t, source, test.prompt, test.limit)
				for _, r := range rows {
					if r.Type == retrieve.MemoryType {
						memories++
					}
				}
				if memories != test.memories || len(rows) != test.limit {
					t.Errorf("%d memories of %d rows, want %d of %d: %v", memories, len(rows), test.memories, test.limit, rows)
				}
			})
		}
	})
}

func TestDisclosureKeepsToItsBudget(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		for _, prompt := range []string{"kafka", "idempotency webhooks", "postgresql migration kafka redis deploy", "zebra", "nothing whatsoever"} {
			rows := rowsOf(t, source, prompt, 20)
			for budget := retrieve.MinBudget; budget <= 3000; budget += 37 {
				d, err := source.Alone().Disclose(t.Context(), rows, budget)
				if err != nil {
					t.Fatal(err)
				}
				if cost := text.Cost(d.Text); cost > budget || cost > d.Tokens || d.Tokens > budget {
					t.Errorf("%q within %d costs %d and says %d:\n%s", prompt, budget, cost, d.Tokens, d.Text)
				}
				if !strings.HasPrefix(d.Text, "expanded: ") || d.Reason == "" || !utf8.ValidString(d.Text) {
					t.Errorf("%q within %d does not say what and why: %q", prompt, budget, d.Text)
				}
			}
		}
	})
}

func TestDisclosureFallsBackToTheCheaperLayer(t *testing.T) {
	withParcel(t, func(source retrieve.Source) {
		rows := rowsOf(t, source, "idempotency webhooks", 10)
		for budget, want := range map[int]string{2000: retrieve.DetailLayer, 500: retrieve.TimelineLayer, 150: retrieve.IndexLayer} {
			d, err := source.Alone().Disclose(t.Context(), rows, budget)
			if err != nil {
				t.Fatal(err)
			}
			if d.Expanded != want {
				t.Errorf("within %d: %s, want %s (%s)", budget, d.Expanded, want, d.Reason)
			}
		}
	})
}

// A smart answer costs about a tenth of what all results would cost, and at most a fifth.
func TestSmartCostsAtMostAFifthOfAll(t *testing.T) {
	prompts, err := os.ReadFile("../testdata/stores/prompts.txt")
	if err != nil {
		t.Fatal(err)
	}
	withParcel(t, func(source retrieve.Source) {
		for _, strategy := range schemas.Strategies {
			for _, limit := range []int{5, 10, 20} {
				everything, smart := 0, 0
				for prompt := range strings.Lines(string(prompts)) {
					rows := rowsOfQuery(t, source, retrieve.Searcher{Config: settings(strategy)}.Query(prompt, limit))
					d, err := source.Alone().Disclose(t.Context(), rows, retrieve.DefaultBudget)
					if err != nil {
						t.Fatal(err)
					}
					smart += d.Tokens
					for _, r := range rows {
						everything += r.Tokens
					}
				}
				t.Logf("%s, %d results: smart %d tokens, everything %d", strategy, limit, smart, everything)
				if 5*smart > everything {
					t.Errorf("%s, %d results: smart %d tokens, everything %d", strategy, limit, smart, everything)
				}
			}
		}
	})
}
