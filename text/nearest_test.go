package text

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"retrieval.max_inject", "retrieval.enabled", "triage.enabled"}
	for s, want := range map[string]string{
		"retrieval.max_inject": "retrieval.max_inject",
		"retrieval.maxinject":  "retrieval.max_inject",
		"retreival.enabled":    "retrieval.enabled",
		"triage.enable":        "triage.enabled",
		"kafka":                "",
		"":                     "",
	} {
		if got := Nearest(s, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", s, got, want)
		}
	}
	if n := Edits([]byte("kitten"), []byte("sitting")); n != 3 {
		t.Errorf("kitten to sitting takes %d", n)
	}
}

func TestCorrect(t *testing.T) {
	words := []string{"quota", "length", "accuweather", "kafka", "cache", "migration"}
	for s, want := range map[string]string{
		"qouta":      "quota",
		"lenght":     "length",
		"acuweather": "accuweather",
		"acuwaether": "accuweather",
		"kakfa":      "kafka",
		"kafak":      "kafka",
		"cafe":       "", // too short
		"kaffee":     "",
		"migrant":    "",
		"":           "",
	} {
		if got := Correct(s, words); got != want {
			t.Errorf("Correct(%q) = %q, want %q", s, got, want)
		}
	}
}
