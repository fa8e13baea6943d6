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

func TestName(t *testing.T) {
	tests := map[string]struct{ title, want string }{
		"English":            {"Use Kafka", "use-kafka"},
		"accents":            {"Été naïve", "ete-naive"},
		"German":             {"Straße, größer", "strasse-grosser"},
		"Korean":             {"데이터베이스 설정", "deiteobeiseu-seoljeong"},
		"decomposed":         {"\u1109\u1165\u11af\u110c\u1165\u11bc", "seoljeong"},
		"Korean and English": {"웹훅 gateway 설정", "webhug-gateway-seoljeong"},
		"Chinese":            {"数据库连接池", "shu-ju-ku-lian-jie-chi"},
		"Cyrillic":           {"Настройка базы", "nastroika-bazy"},
		"full width":         {"Ｋａｆｋａ １２", "kafka-12"},
		"cut":                {strings.Repeat("설", 40), strings.TrimSuffix(strings.Repeat("seol", 20), "-")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Name("decision", tt.title); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	emoji := Name("tech_debt", "🚀")
	if !regexp.MustCompile(`^tech-debt-[0-9a-f]{6}$`).MatchString(emoji) {
		t.Errorf("an emoji: %q", emoji)
	}
	if other := Name("tech_debt", "🚀🚀"); other == emoji {
		t.Errorf("two titles, one name: %q", other)
	}
}
