package text

import (
	"regexp"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	tests := map[string]struct{ title, want string }{
		"words":                {"Kafka keeps the events", "kafka-keeps-the-events"},
		"symbols":              {"C++ & Go @ 100% (v2.0)", "c-go-100-v2-0"},
		"accents":              {"Été naïve", "ete-naive"},
		"no ASCII counterpart": {"Straße Øl ﬁn", "strae-l-fin"},
		"Kelvin sign":          {"\u212a8s", "k8s"},
		"Korean and English":   {"데이터 gateway 설정", "gateway"},
		"Korean":               {"데이터 설정", ""},
		"emoji":                {"🚀", ""},
		"hyphens at the ends":  {"--x--", "x"},
		"control characters":   {"a\x00b\nc", "a-b-c"},
		"cut":                  {strings.Repeat("a", 79) + " b", strings.Repeat("a", 79)},
		"cut in a word":        {strings.Repeat("a", 99), strings.Repeat("a", 80)},
		"invalid UTF-8":        {"a\xffb", "ab"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Slug(tt.title); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSlugOr(t *testing.T) {
	if got := SlugOr("decision", "Use Kafka"); got != "use-kafka" {
		t.Errorf("a title with a slug: %q", got)
	}
	korean := SlugOr("tech_debt", "설정")
	if !regexp.MustCompile(`^tech-debt-[0-9a-f]{6}$`).MatchString(korean) {
		t.Errorf("a Korean title: %q", korean)
	}
	if decomposed := SlugOr("tech_debt", "\u1109\u1165\u11af\u110c\u1165\u11bc"); decomposed != korean {
		t.Errorf("the same title, decomposed, has another slug: %q, %q", decomposed, korean)
	}
	if other := SlugOr("tech_debt", "설정 2차 🚀 배포"); other == korean {
		t.Errorf("two titles, one slug: %q", other)
	}
}
