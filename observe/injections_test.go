package observe

import (
	"strings"
	"testing"
	"time"

	"memctl/files"
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
	one, other := files.Root{Path: "/one"}, files.Root{Path: "/other"}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	first := Injection{Time: at, Session: "s", Root: one.Key(), Memories: []string{"decisions/a.json", "decisions/b.json"}}
	odd := Injection{Time: at, Root: one.Key(), Memories: []string{"decisions/a.json", "../../etc/passwd", "decisions/\x1b[2J.json"}}
	for _, in := range []Injection{first, {Time: at, Root: other.Key(), Memories: []string{"decisions/c.json"}}, odd} {
		if err := in.Append(); err != nil {
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
	root := files.Root{Path: "/one"}
	in := Injection{Root: root.Key()}
	for range 20 {
		in.Memories = append(in.Memories, "decisions/"+strings.Repeat("a", 80)+".json")
	}
	line, _ := schemas.EncodeJSON(in)
	each, size := len(line)+1, 0
	for range 3 * injectionsLimit / each {
		if err := in.Append(); err != nil {
			t.Fatal(err)
		}
		size += each
	}
	got, err := ReadInjections(root)
	count := len(got) * each
	if err != nil || count >= size || count < injectionsLimit || count > 2*injectionsLimit+2*each {
		t.Errorf("%d of %d bytes are kept, %v", count, size, err)
	}
}
