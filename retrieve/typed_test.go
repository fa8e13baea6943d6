package retrieve

import (
	"slices"
	"testing"
)

func TestWordsOfWhatIsTyped(t *testing.T) {
	for typed, want := range map[string]struct {
		words   []string
		unended bool
	}{
		"":                    {nil, false},
		"Kaf":                 {[]string{"kaf"}, true},
		"kafka lag ":          {[]string{"kafka", "lag"}, false},
		"kafka, kafka_lag":    {[]string{"kafka", "lag"}, true},
		"재시도 정":               {[]string{"재시도", "정"}, true},
		`"a" OR b* NEAR(c) -`: {[]string{"a", "or", "b", "near", "c"}, true},
	} {
		got := WordsOf(typed)
		if !slices.Equal(got.Words, want.words) || got.unended != want.unended {
			t.Errorf("WordsOf(%q) = %q, unended %v", typed, got.Words, got.unended)
		}
	}
}

func TestMatchesOfWhatIsTyped(t *testing.T) {
	typed := WordsOf("rotation kafak retr")
	typed.Corrected["kafak"] = "kafka"
	for word, want := range map[string]bool{
		"Rotation": true, "rotates": true, "rotor": false, "KAFKA": true, "kafak": false, "retries": true, "ret": false,
	} {
		if got := typed.Matches(word); got != want {
			t.Errorf("Matches(%q) = %v", word, got)
		}
	}
}
