package schemas

import (
	"regexp"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestIsDateTime(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-01-31T09:00:00Z":           true,
		"2026-01-31t09:00:00z":           true,
		"2026-01-31T09:00:00.123456789Z": true,
		"2026-01-31T09:00:00+05:30":      true,
		"2026-01-31T09:00:00-00:00":      true,
		"2024-02-29T23:59:59Z":           true,
		"2016-12-31T23:59:60Z":           true,
		"2017-01-01T05:29:60+05:30":      true,
		"":                               false,
		"today":                          false,
		"2026-01-31":                     false,
		"2026-01-31 09:00:00Z":           false,
		"2026-01-31T09:00Z":              false,
		"2026-01-31T09:00:00":            false,
		"2026-01-31T9:00:00Z":            false,
		"2026-01-31T09:00:00,5Z":         false,
		"2026-01-31T09:00:00.Z":          false,
		"2026-01-31T09:00:00+0530":       false,
		"2026-01-31T09:00:00+24:00":      false,
		"2026-01-31T24:00:00Z":           false,
		"2026-02-30T09:00:00Z":           false,
		"2016-12-31T22:59:60Z":           false,
		"2026-01-31T09:00:00Z ":          false,
		"２026-01-31T09:00:00Z":           false,
	} {
		if got := isDateTime(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// The oracle lets signs stand for digits ("+9:00:00Z"); RFC 3339's grammar does not.
var dateTimeGrammar = regexp.MustCompile(`(?i)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

func FuzzIsDateTime(f *testing.F) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("date", map[string]any{"format": "date-time"}); err != nil {
		f.Fatal(err)
	}
	schema := compiler.MustCompile("date")
	for _, seed := range []string{"2026-01-31T09:00:00Z", "2016-12-31t23:59:60.5-00:00", "2017-01-01T05:29:60+05:30"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := dateTimeGrammar.MatchString(s) && schema.Validate(s) == nil
		if got := isDateTime(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	})
}
