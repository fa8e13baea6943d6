package retrieve

import (
	"slices"
	"testing"
)

func TestWordsOfWhatIsTyped(t *testing.T) {
	for typed, want := range map[string][]string{
		"":                    nil,
		"Kaf":                 {"kaf"},
		"kafka, kafka_lag":    {"kafka", "lag"},
		"재시도 정":               {"재시도", "정"},
		`"a" OR b* NEAR(c) -`: {"a", "or", "b", "near", "c"},
	} {
		if got := WordsOf(typed); !slices.Equal(got, want) {
			t.Errorf("WordsOf(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestMatchesOfWhatIsTyped(t *testing.T) {
	typed := Typed{WordsOf("rotation kafak retr"), map[string]string{"kafak": "kafka"}}
	for word, want := range map[string]bool{
		"Rotation": true, "rotates": true, "rotor": false, "KAFKA": true, "kafak": false, "retries": true, "ret": false,
	} {
		if got := typed.Matches(word); got != want {
			t.Errorf("Matches(%q) = %v", word, got)
		}
	}
}
