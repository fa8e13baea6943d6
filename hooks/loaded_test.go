package hooks

import (
	"testing"

	"memctl/retrieve"
)

func TestRepeats(t *testing.T) {
	file := []string{plainWords("# Rules\n\n- **Always** run `make lint`\n  before you push.\n- 데이터베이스는 매일 밤 초기화된다\n- 数据库每天晚上三点重置\n- Kafka\n")}
	tests := map[string]struct {
		title, sentence string
		want            bool
	}{
		"the same words":                   {"Lint", "Always run make lint before you push.", true},
		"a part of them":                   {"Lint", "run make lint", true},
		"the title, without a sentence":    {"Run make lint before you push", "", true},
		"the title, and more":              {"Run make lint before you push", "CI takes ten minutes.", false},
		"other words":                      {"Lint before each push", "Run the linter before each push.", false},
		"the beginning of a word":          {"Lint", "always run make lin", false},
		"too little to say anything":       {"Kafka", "", false},
		"a short sentence, not the title":  {"Kafka carries the events", "Kafka", false},
		"Korean":                           {"DB", "데이터베이스는 매일 밤 초기화된다.", true},
		"a script without spaces":          {"DB", "数据库每天晚上三点重置。", true},
		"another time in the same script":  {"DB", "数据库每天晚上四点重置。", false},
		"a memory without title and words": {"", "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := retrieve.Result{Entry: retrieve.Entry{Title: test.title}, Sentence: test.sentence}
			if got := repeats(r, file); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
