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
			for field, value := range map[string]any{"schema_version": "1.0", "id": "a", "record_status": "active",
				"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "tags": []any{"make"}} {
				doc[field] = value
			}
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
