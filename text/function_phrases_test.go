package text

import (
	"slices"
	"testing"
)

func TestFunctionPhrases(t *testing.T) {
	for s, want := range map[string][]string{
		"":                               nil,
		"address already in use":         {"already in use"},
		"Already in use!":                {"already in use"},
		"in use":                         {"in use"},
		"the cat in the cloud":           nil,
		"what is the port, and what for": {"what is the", "and what for"},
		"포트가 이미 사용 중":                    nil,
	} {
		if got := FunctionPhrases(s); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}
