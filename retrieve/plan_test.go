package retrieve

import (
	"strings"
	"testing"

	"memctl/db"
	"memctl/schemas"
)

// A loop inside another one looks its rows up. A scan there takes seconds in a large store.
func TestCountingTagsScansPostingsOnce(t *testing.T) {
	d, err := db.CreateInMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, f := range []Filter{{}, {Statuses: schemas.Statuses[:1], Categories: []schemas.Category{schemas.Decision}, Tag: "kafka", Limit: 5}} {
		var plan []struct {
			ID      int    `db:"id"`
			Parent  int    `db:"parent"`
			Unused  int    `db:"notused"`
			Explain string `db:"detail"`
		}
		if err := d.Select(t.Context(), &plan, "EXPLAIN QUERY PLAN "+countTagsSQL, f.args()...); err != nil {
			t.Fatal(err)
		}
		var scans []string
		for _, step := range plan {
			// The lists of a filter have a few values.
			if strings.HasPrefix(step.Explain, "SCAN ") && !strings.Contains(step.Explain, "json_each") {
				scans = append(scans, step.Explain)
			}
		}
		if len(scans) != 2 || scans[0] != "SCAN p" || scans[1] != "SCAN c" {
			t.Errorf("the plan scans %q, want p, and c once for its groups", scans)
		}
	}
}
