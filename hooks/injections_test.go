package hooks

import (
	"strings"
	"testing"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestHasPlainID(t *testing.T) {
	for path, want := range map[string]bool{
		"decisions/kafka-2.json":                            true,
		"tech-debt/x.json":                                  true,
		"decisions/" + strings.Repeat("a", 80) + ".json":    true,
		"decisions/" + strings.Repeat("a", 81) + ".json":    false,
		"decisions/.json":                                   false,
		"decisions/Kafka.json":                              false,
		"decisions/a b.json":                                false,
		"decisions/a\nb.json":                               false,
		"decisions/\u202e.json":                             false,
		"decisions/\xff.json":                               false,
		"decisions/sub/x.json":                              false,
		"elsewhere/x.json":                                  false,
		"decisions/x.txt":                                   false,
		"../decisions/x.json":                               false,
		"decisions/ghp_1x9KqVtR4mZpLw8NcYb2HdTfGs7JuE.json": false,
	} {
		if got := HasPlainID(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

func TestInjectionsAreThoseOfTheRoot(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	one, other := memdir.Root{Path: "/one"}, memdir.Root{Path: "/other"}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	first := Injection{Time: at, Session: "s", Root: one.Key(), Memories: []string{"decisions/a.json", "decisions/b.json"}}
	odd := Injection{Time: at, Root: one.Key(), Memories: []string{"decisions/a.json", "../../etc/passwd", "decisions/\x1b[2J.json"}}
	for _, in := range []Injection{first, {Time: at, Root: other.Key(), Memories: []string{"decisions/c.json"}}, odd} {
		if err := in.append(); err != nil {
			t.Fatal(err)
		}
	}
	odd.Memories = []string{"decisions/a.json"}
	got, err := ReadInjections(one)
	if diff := cmp.Diff([]Injection{first, odd}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// The record does not grow beyond its limit and the old record's.
func TestRecordOfInjectionsIsBounded(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	root := memdir.Root{Path: "/one"}
	in := Injection{Root: root.Key()}
	for range 20 {
		in.Memories = append(in.Memories, "decisions/"+strings.Repeat("a", 80)+".json")
	}
	size := 0
	for range 3 * injectionsLimit / len(jsonLine(in)) {
		if err := in.append(); err != nil {
			t.Fatal(err)
		}
		size += len(jsonLine(in))
	}
	got, err := ReadInjections(root)
	kept := len(got) * len(jsonLine(in))
	if err != nil || kept >= size || kept < injectionsLimit || kept > 2*injectionsLimit+2*len(jsonLine(in)) {
		t.Errorf("%d of %d bytes are kept, %v", kept, size, err)
	}
}

func TestSumUp(t *testing.T) {
	root := memdir.Root{Path: "/one", Shown: ".claude/memory"}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const a, b, gone = "decisions/a.json", "runbooks/b.json", "decisions/gone.json"
	injections := []Injection{
		{Time: at, Session: "s1", Memories: []string{a, b}},
		{Time: at.Add(time.Minute), Session: "s1", Memories: []string{a}},
		{Time: at.Add(time.Hour), Session: "s2", Memories: []string{a, gone}},
	}
	item := func(path, title string, status schemas.Status) retrieve.Item {
		return retrieve.Item{Entry: retrieve.Entry{Path: path, Title: title, Status: status}}
	}
	items := []retrieve.Item{
		item(a, "A", schemas.Active), item(b, "B", schemas.Retired),
		item("decisions/never.json", "Never", schemas.Active), item("decisions/Odd name.json", "Odd", schemas.Active),
	}
	want := MemoryStats{
		Prompts: 3, Sessions: 2, First: "2026-11-20T09:00:00Z", Last: "2026-11-20T10:00:00Z", Active: 2, Unused: 1,
		Memories: []MemoryUse{
			{"a", ".claude/memory/" + a, "A", schemas.Active, 3, 2, "2026-11-20T10:00:00Z"},
			{"gone", ".claude/memory/" + gone, "", "", 1, 1, "2026-11-20T10:00:00Z"},
			{"b", ".claude/memory/" + b, "B", schemas.Retired, 1, 1, "2026-11-20T09:00:00Z"},
		},
	}
	if diff := cmp.Diff(want, SumUp(root, injections, items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
