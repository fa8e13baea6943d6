package store

import (
	"os"
	"testing"

	"memctl/files"
	"memctl/schemas"
)

// A valid memory that was renamed over an invalid one, after the hook judged that, stays
// where it is.
func TestSetAsideJudgesTheFileAgain(t *testing.T) {
	const valid = `{"schema_version": "1.0", "category": "preference", "id": "names", "title": "Short names", "record_status": "active",
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "tags": ["a"], "times_updated": 0,
		"content": {"topic": "t", "value": "v", "reason": "r", "strength": "soft"}}`
	for name, tt := range map[string]struct {
		now  string // in the file
		kept bool
	}{
		"valid by now":  {valid, true},
		"still invalid": {"{", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := files.Init(dir); err != nil {
				t.Fatal(err)
			}
			root, err := files.At(dir)
			if err != nil {
				t.Fatal(err)
			}
			at := root.Join("preferences/names.json")
			if err := os.WriteFile(at, []byte(tt.now), 0o644); err != nil {
				t.Fatal(err)
			}
			aside, violations, err := setAside(t.Context(), root, "preferences/names.json", []schemas.Violation{{Rule: "json"}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = os.Stat(at)
			if kept := err == nil; kept != tt.kept || (aside == "") != tt.kept || (len(violations) == 0) != tt.kept {
				t.Errorf("kept %v, aside %q, violations %v", kept, aside, violations)
			}
		})
	}
}
