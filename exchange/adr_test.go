package exchange

import "testing"

func TestKnownStatus(t *testing.T) {
	for phrase, want := range map[string]string{
		"":         "accepted",
		"Accepted": "accepted",
		"Accepted\nSuperseded by [ADR-7](0007-use-kafka.md)":      "superseded",
		"Accepted, supersedes ADR 3":                              "accepted",
		"> It may be marked as \"superseded\" later.\n\nProposed": "proposed",
		"{Deprecated|Proposed|Accepted|Declined}\nImplemented":    "accepted",
		"[proposed | rejected | accepted]\nRejected":              "deprecated",
		"proposed | rejected | accepted | deprecated":             "accepted",
		"In the air": "accepted",
	} {
		rec := record{status: phrase}
		if got, _, _ := rec.knownStatus(); got != want {
			t.Errorf("%q is %s, want %s", phrase, got, want)
		}
	}
}
