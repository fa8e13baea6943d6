package observe

import (
	"strings"
	"testing"

	"memctl/schemas"
)

// A drafted runbook lacks only what memctl or the person adds.
func TestADraftedRunbookIsValid(t *testing.T) {
	fixes := map[string]Fix{
		"usual": {Tool: "Bash", Subject: "make test", Error: "exit code 1\nno rule", Between: []string{"Edit Makefile"}},
		"long":  {Tool: "Edit", Subject: strings.Repeat("길", 1000), Error: strings.Repeat("e", 10_000)},
		"bare":  {Tool: "Bash", Subject: "ls"},
	}
	for name, fix := range fixes {
		t.Run(name, func(t *testing.T) {
			doc := fix.Runbook()
			doc.SchemaVersion, doc.ID, doc.RecordStatus, doc.Tags = "1.0", "a", schemas.Active, []string{"make"}
			doc.CreatedAt, doc.UpdatedAt = "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
			data, err := doc.Encode()
			if err != nil {
				t.Fatal(err)
			}
			for _, violation := range schemas.Validate(data) {
				t.Error(violation)
			}
		})
	}
}
