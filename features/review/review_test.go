package review

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/schemas"
	"memctl/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestSimilarTags(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"webhook", "webhooks", true},
		{"policy", "policies", true},
		{"api", "apis", true},
		{"kafka", "kafak", true},
		{"postgres", "postgress", true},
		{"rate-limit", "ratelimit", true},
		{"결제재시도", "결제재시토", true},
		{"http", "https", false},
		{"http2", "http3", false},
		{"release-1", "release-11", false},
		{"sync", "async", false},
		{"react", "preact", false},
		{"docker", "locker", false},
		{"node", "nose", false},
		{"결제", "결재", false},
		{"kafka", "kafka-connect", false},
	} {
		pairs := similarTags([]string{tt.a, tt.b})
		if got := len(pairs) == 1; got != tt.same || len(pairs) > 1 {
			t.Errorf("%s and %s: %v", tt.a, tt.b, pairs)
		}
		if tagPairs := similarTags([]string{tt.b, tt.a}); len(tagPairs) != len(pairs) {
			t.Errorf("%s and %s the other way: %v", tt.b, tt.a, tagPairs)
		}
	}
}

func TestEndOf(t *testing.T) {
	for date, want := range map[string]string{
		"2026-03-31":           "2026-04-01T00:00:00Z",
		" 2026-03-31 ":         "2026-04-01T00:00:00Z",
		"2026-02":              "2026-03-01T00:00:00Z",
		"2026":                 "2027-01-01T00:00:00Z",
		"2026-03-31T12:00:00Z": "2026-03-31T12:00:00Z",
		"when Kafka 5 is out":  "",
		"":                     "",
	} {
		over, ok := schemas.EndOf(date)
		got := ""
		if ok {
			got = schemas.FormatTime(over)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", date, got, want)
		}
	}
}

// project is a folder with memories.
type project struct {
	t    *testing.T
	root files.Root
}

func newProject(t *testing.T, memories ...schemas.Memory) project {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	for _, m := range memories {
		if err := storetest.Put(dir, m); err != nil {
			t.Fatal(err)
		}
	}
	root, err := files.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	return project{t, root}
}

var now = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// review returns the findings of a kind as "id: reason".
func (p project) review(kind Kind) []string {
	p.t.Helper()
	r, err := Run(p.t.Context(), p.root, Options{Now: now, Only: []Kind{kind}, Days: 60, Commits: 5, NoGit: true})
	if err != nil {
		p.t.Fatal(err)
	}
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, f.ID+": "+f.Reason)
	}
	return list
}

func decision(id, title, status, phrase string) schemas.Memory {
	content := &schemas.DecisionContent{Status: status, Context: "c", Decision: phrase, Rationale: []string{"r"}}
	return schemas.Memory{SchemaVersion: "1.0", Category: schemas.Decision, ID: id, Title: title,
		RecordStatus: schemas.Active,
		CreatedAt:    "2026-01-01T00:00:00Z", UpdatedAt: "2026-01-01T00:00:00Z", Tags: []string{"x"}, Content: content}
}

func TestSuperseded(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []schemas.Memory
		want []string
	}{
		{"by its status", []schemas.Memory{decision("a", "Use A", "superseded", "A")},
			[]string{"a: its status is superseded"}},
		{"by its status and a link", []schemas.Memory{decision("a", "Use A", "superseded", "Superseded by: Use B now"),
			decision("b", "Use B now", "accepted", "B")}, []string{`a: it is superseded by "Use B now"`}},
		{"by another's words", []schemas.Memory{decision("a", "Use A", "accepted", "A"),
			decision("b", "Use B", "accepted", "This supersedes (use a), at last")},
			[]string{`a: it is superseded by "Use B"`}},
		{"by another's words with an id", []schemas.Memory{decision("use-a", "Apples for all", "accepted", "A"),
			decision("b", "Use B", "accepted", "Replaces use-a.")}, []string{`use-a: it is superseded by "Use B"`}},
		{"not by a word", []schemas.Memory{decision("kafka", "Kafka", "accepted", "A"),
			decision("b", "Use B", "accepted", "It replaces Kafka")}, nil},
		{"not by what is proposed", []schemas.Memory{decision("a", "Use A", "accepted", "A"),
			decision("b", "Use B", "proposed", "Supersedes: Use A")}, nil},
		{"not by itself", []schemas.Memory{decision("a", "Use A", "accepted", "Supersedes: Use A")}, nil},
		{"not the one that does", []schemas.Memory{decision("a", "Use A", "accepted", "Superseded by nothing: Use B"),
			decision("b", "Use B", "accepted", "B")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := newProject(t, tt.list...).review(Superseded)
			if diff := cmp.Diff(append([]string{}, tt.want...), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSimilar(t *testing.T) {
	retries := "The notifier retries a webhook eight times with exponential backoff and then parks it in the dead letter table"
	again := "The notifier retries each webhook eight times with exponential backoff, then parks it in the dead letter table of Postgres"
	other := "The dashboard loads maps lazily because the bundle grew beyond two megabytes on old tablets in the depots"
	older := decision("a", "Retry webhooks eight times", "accepted", retries)
	newer := decision("b", "Webhooks are retried eight times", "accepted", again)
	newer.UpdatedAt = "2026-05-01T00:00:00Z"
	third := decision("c", "Load maps lazily", "accepted", other)
	for _, tt := range []struct {
		name string
		list []schemas.Memory
		want []string // ids
	}{
		{"in other words", []schemas.Memory{older, newer, third}, []string{"a"}},
		{"the same words", []schemas.Memory{older, decision("d", "Retry webhooks eight times", "accepted", retries)},
			[]string{"d"}},
		{"other titles", []schemas.Memory{older, decision("d", "Dashboards and depots", "accepted", retries), third}, nil},
		{"nothing in common", []schemas.Memory{older, third}, nil},
		{"one that knows the other", []schemas.Memory{older,
			decision("d", "Webhooks are retried eight times", "accepted", again+". Refines: Retry webhooks eight times"),
			third}, nil},
		{"the same title", []schemas.Memory{decision("a", "Use Go", "accepted", "Go"),
			decision("b", "Use Go", "accepted", "Go")}, []string{"b"}},
		{"with another number", []schemas.Memory{older, decision("d", "Retry webhooks five times", "accepted", other)},
			[]string{"d"}},
		{"another value of one subject", []schemas.Memory{decision("d", "Redis eviction: allkeys-lfu", "accepted", "a"),
			decision("e", "The eviction of Redis is noeviction", "accepted", "b")}, []string{"e"}},
		{"what stands before a colon is only a topic", []schemas.Memory{
			decision("d", "Redis eviction: allkeys-lfu", "accepted", "a"),
			decision("e", "Redis eviction: alarms at night", "accepted", "b")}, nil},
		{"a subject of one word", []schemas.Memory{decision("d", "Redis is a cache", "accepted", "a"),
			decision("e", "Redis: no persistence", "accepted", "b")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ids []string
			for _, finding := range newProject(t, tt.list...).review(Similar) {
				id, _, _ := strings.Cut(finding, ":")
				ids = append(ids, id)
			}
			if !slices.Equal(ids, tt.want) {
				t.Errorf("%v, want %v", ids, tt.want)
			}
		})
	}
}

// A thousand memories that say the same are compared with one of them, not with each other.
func TestSimilarManyTimes(t *testing.T) {
	var list []schemas.Memory
	for i := range 1000 {
		list = append(list, decision(fmt.Sprintf("m-%d", i), "Retry webhooks eight times", "accepted",
			"The notifier retries a webhook with exponential backoff"))
	}
	if findings := newProject(t, list...).review(Similar); len(findings) != 999 {
		t.Errorf("%d findings", len(findings))
	}
}

func TestUnused(t *testing.T) {
	recent := decision("recent", "Recent", "accepted", "r")
	recent.UpdatedAt = "2026-10-20T00:00:00Z"
	imported := decision("imported", "Imported", "accepted", "i")
	imported.Changes = []schemas.Change{{Date: "2026-10-20T00:00:00Z", Summary: "Imported", Field: "origin"}}
	for _, tt := range []struct {
		name   string
		record []string // time and id
		want   []string
	}{
		{"no record", nil, nil},
		{"a record that is too short", []string{"2026-10-01 used"}, nil},
		{"no prompts lately", []string{"2026-01-02 used"}, nil},
		{"a long record", []string{"2026-01-02 once", "2026-10-01 used"}, []string{
			"never: not among the memories of the last 1 prompt",
			"once: not among the memories of the last 1 prompt; last received on 2026-01-02",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t, recent, imported, decision("never", "Never", "accepted", "n"),
				decision("once", "Once", "accepted", "o"), decision("used", "Used", "accepted", "u"))
			var lines strings.Builder
			for _, entry := range tt.record {
				at, id, _ := strings.Cut(entry, " ")
				fmt.Fprintf(&lines, `{"time": "%sT00:00:00Z", "root": %q, "memories": ["decisions/%s.json"]}`+"\n", at,
					p.root.Key(), id)
			}
			state, err := files.State()
			if err == nil {
				err = os.WriteFile(filepath.Join(state, "injections.jsonl"), []byte(lines.String()), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tt.want...), p.review(Unused)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A kind whose row does not say so is no reason against a memory.
func TestOnlyReasonsAreKept(t *testing.T) {
	for kind, want := range map[Kind]int{Expired: 1, Open: 1, Unused: 0, Similar: 0, "new": 0} {
		v := &reviewer{}
		v.keepFound(&memory{}, Finding{Kind: kind, Reason: "it expired"})
		if len(v.findings) != want {
			t.Errorf("%s: kept %v", kind, v.findings)
		}
	}
}

// The tags of an import are its source's. Once somebody exchanges one, they are reviewed like others.
func TestTagsOfAnImport(t *testing.T) {
	imported := decision("imported", "Imported", "accepted", "i")
	imported.Tags = []string{"webhooks"}
	imported.Changes = []schemas.Change{{Date: "2026-01-01T00:00:00Z", Summary: "Imported", Field: "origin"}}
	exchanged := imported
	exchanged.ID, exchanged.Changes = "exchanged", append(slices.Clone(imported.Changes),
		schemas.Change{Date: "2026-01-02T00:00:00Z", Summary: "Tags exchanged", Field: "tags"})
	own, other := decision("own", "Own", "accepted", "o"), decision("other", "Other", "accepted", "o")
	own.Tags, other.Tags = []string{"webhooks"}, []string{"webhook"}
	list := []schemas.Memory{imported, exchanged, own}
	for i := range 4 {
		other.ID = fmt.Sprintf("other-%d", i)
		list = append(list, other)
	}
	got := newProject(t, list...).review(Tags)
	var ids []string
	for _, finding := range got {
		id, _, _ := strings.Cut(finding, ":")
		ids = append(ids, id)
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"exchanged", "own"}) {
		t.Errorf("%q", got)
	}
}
