package triage

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// matches lists the phrases of a rule in a line, of all rules if it is -1, boosters with
// a "+".
func matches(rule int, line string) []string {
	var names []string
	for _, p := range ruleDictionary().find(line) {
		if rule < 0 || p.rule == rule {
			names = append(names, p.name())
		}
	}
	return names
}

func (p *phrase) name() string { return strings.Repeat("+", p.kind) + p.text }

func TestEveryWordIsFound(t *testing.T) {
	counts := [len(Rules)][kinds]int{}
	for _, phrases := range ruleDictionary() {
		for _, p := range phrases {
			if p.rule < 0 {
				t.Fatalf("%q is of no rule", p.text)
			}
			counts[p.rule][p.kind]++
			lines := []string{p.text, "the " + strings.ToUpper(p.text) + ".", "(" + strings.ReplaceAll(p.text, " ", " \t ") + ")"}
			if p.korean {
				lines = []string{p.text, "그 " + p.text + "다", "DB" + p.text, strings.ReplaceAll(p.text, " ", "")}
			}
			if p.inside {
				lines = append(lines, "그것"+p.text)
			}
			for _, line := range lines {
				if !slices.Contains(matches(p.rule, line), p.name()) {
					t.Errorf("%s: %q is not found in %q", Rules[p.rule].Category, p.text, line)
				}
			}
		}
	}
	for i, count := range counts {
		if count[primary] < 10 || count[booster] < 10 {
			t.Errorf("%s has %v words", Rules[i].Category, count)
		}
	}
}

// Korean words cannot change the score of an English text: each begins with Hangul,
// and English words contain none.
func TestLanguagesStayApart(t *testing.T) {
	for _, phrases := range ruleDictionary() {
		for _, p := range phrases {
			if p.inside && !p.korean {
				t.Errorf("%q does not start with Hangul", p.text)
			}
			if !p.korean && strings.ContainsFunc(p.text, func(r rune) bool { return r >= utf8.RuneSelf }) {
				t.Errorf("%q holds other letters than English ones", p.text)
			}
		}
	}
}

func TestFind(t *testing.T) {
	tests := map[string]struct {
		line string
		want []string
	}{
		"inflections do not count":           {"errors, crashed, choosing, prefers", nil},
		"nor parts of names":                 {"my_error error2 _hack_ ñerror", nil},
		"other letters end no word":          {"error가 났다", nil},
		"no-break space parts a phrase":      {"went\u00a0with it", []string{"went with"}},
		"other things do not":                {"went-with, went, with", nil},
		"a phrase may fail late":             {"will address it later", nil},
		"a word in two rules counts in both": {"a workaround", []string{"+workaround", "workaround"}},
		"Kelvin and long s fold":             {"pic\u212Aed, cra\u017Fh", []string{"picked", "crash"}},
		"a Korean sentence":                  {"Kafka로 결정했습니다. 순서가 보장되기 때문에요.", []string{"결정했", "+때문에", "+때문에"}},
		"a Korean error and its cause":       {"빌드 오류의 원인을 찾아 해결했다", []string{"오류", "+원인", "+해결"}},
		"a Korean limit":                     {"API가 배치를 지원하지 않는다는 것을 발견", []string{"지원하지 않", "+발견"}},
		"spaces may be left out":             {"수정할수없음, 기술부채", []string{"할 수 없", "기술 부채"}},
		"Korean words begin a word":          {"불규칙, 비오류, 무제한", nil},
		"unless endings hide them":           {"쓰기로 했다, 성능때문에", []string{"+쓰기로", "기로 했", "+때문에", "+때문에"}},
		"Korean preferences":                 {"앞으로는 항상 tabs를 선호", []string{"앞으로는", "항상", "선호"}},
		"other Korean":                       {"파일을 읽고 테스트를 실행했습니다", nil},
		"invalid UTF-8":                      {"\xff error \xff", []string{"error"}},
		"a very long word":                   {strings.Repeat("x", 1<<16) + " error", []string{"error"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := matches(-1, tt.line)
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
