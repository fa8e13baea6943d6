package text

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestLower(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"capitals":                  {"Kafka ÄÖÜ ΑΒΓ", "kafka äöü αβγ"},
		"the Kelvin sign is a k":    {"\u212Aafka", "kafka"},
		"dotted I becomes two":      {"İstanbul", "i\u0307stanbul"},
		"sharp s stays":             {"STRAßE", "straße"},
		"what has no case stays":    {"웹훅 123", "웹훅 123"},
		"invalid UTF-8 is replaced": {"A\xffB", "a\ufffdb"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Lower(tt.in); got != tt.want {
				t.Errorf("Lower(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestTags(t *testing.T) {
	tests := map[string]struct{ in, want []string }{
		"sorted by code point":          {[]string{"b", "a", "ä", "Z"}, []string{"a", "b", "z", "ä"}},
		"trimmed and lower-cased":       {[]string{" Kafka ", "\tREDIS\n"}, []string{"kafka", "redis"}},
		"distinct after lower-casing":   {[]string{"Kafka", "kafka", " KAFKA"}, []string{"kafka"}},
		"blank ones dropped":            {[]string{"", "  ", "a"}, []string{"a"}},
		"whole, with what separates":    {[]string{"event-writer v2"}, []string{"event-writer v2"}},
		"none for none":                 {nil, nil},
		"short ones and stop words too": {[]string{"go", "the"}, []string{"go", "the"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Tags(tt.in), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "Which idempotency key?", "웹훅 retry 정책", "a_b-c4d5", "\xffabc\x00def", "KKKK İİİ \u212Aelvin"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tokens := Tokens(s)
		for i, token := range tokens {
			if len(token) < minTokenLen || stopWords()[token] {
				t.Errorf("%q is not a token", token)
			}
			for _, c := range []byte(token) {
				if isSeparator(rune(c)) {
					t.Errorf("%q holds %q", token, c)
				}
			}
			if slices.Contains(tokens[:i], token) {
				t.Errorf("%q comes twice", token)
			}
		}
	})
}
