package retrieve

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"memctl/db"

	"github.com/google/go-cmp/cmp"
)

func TestPairsOfFrequentWordsAreLeftOut(t *testing.T) {
	asked, kept := []string{"kafka", "topic", "name", "retry"}, []string{"kafka"}
	for pair, stays := range map[string]bool{
		"kafka topic": true,
		"name retry":  false,
		"topic name":  false,
		"재시도":         true, // two characters of a word, which no list of words has
		"event bus":   true, // an identifier spelled out
		"name bus":    true,
	} {
		var want []string
		if stays {
			want = []string{pair}
		}
		if diff := cmp.Diff(want, append([]string(nil), withoutDropped([]string{pair}, asked, kept)...)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// SQLite may make a join of an EXISTS, and then asks it for each row.
func TestHybridAsksOnceWhetherABodyIsLong(t *testing.T) {
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	type step struct {
		ID, Parent, NotUsed int
		Detail              string
	}
	var args []any
	for _, m := range regexp.MustCompile(`:([a-z_]+)`).FindAllStringSubmatch(hybridSQL, -1) {
		args = append(args, sql.Named(m[1], nil))
	}
	plan, err := db.Query[step](t.Context(), d, "EXPLAIN QUERY PLAN "+withoutHead(hybridSQL), args...)
	if err != nil || len(plan) == 0 {
		t.Fatalf("%d steps, %v", len(plan), err)
	}
	for _, s := range plan {
		if strings.HasPrefix(s.Detail, "SCAN bodies EXISTS") || strings.HasPrefix(s.Detail, "SEARCH b USING INTEGER") {
			t.Errorf("it reads bodies for each row: %s", s.Detail)
		}
	}
}
