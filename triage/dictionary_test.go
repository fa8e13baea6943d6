package triage

import (
	"slices"
	"strings"
	"testing"
)

// found lists the phrases in a line, boosters with a "+".
func found(rules []Rule, line string) []string {
	d := newDictionary(rules)
	var names []string
	for p := range d.find(line) {
		names = append(names, strings.Repeat("+", p.kind)+p.text)
	}
	return names
}

func TestEveryWordIsFound(t *testing.T) {
	for _, rule := range Rules {
		for kind, words := range [kinds]Words{rule.Primary, rule.Boosters} {
			for _, word := range words.English {
				for _, line := range []string{word, "the " + strings.ToUpper(word) + ".", "(" + strings.ReplaceAll(word, " ", " \t ") + ")"} {
					if !slices.Contains(found([]Rule{rule}, line), strings.Repeat("+", kind)+word) {
						t.Errorf("%s: %q is not found in %q", rule.Category, word, line)
					}
				}
			}
			for _, word := range words.Korean {
				pattern, inside := strings.CutPrefix(word, "~")
				lines := []string{pattern, "그 " + pattern + "다", "DB" + pattern, strings.ReplaceAll(pattern, " ", "")}
				if inside {
					lines = append(lines, "그것"+pattern)
				}
				for _, line := range lines {
					if !slices.Contains(found([]Rule{rule}, line), strings.Repeat("+", kind)+pattern) {
						t.Errorf("%s: %q is not found in %q", rule.Category, word, line)
					}
				}
			}
		}
	}
}

// Korean words cannot change the score of an English text: each begins with Hangul,
// and English words contain none.
func TestLanguagesStayApart(t *testing.T) {
	for _, rule := range Rules {
		for _, words := range []Words{rule.Primary, rule.Boosters} {
			for _, word := range words.Korean {
				if first := []rune(strings.TrimPrefix(word, "~"))[0]; !isHangul(first) {
					t.Errorf("%s: %q does not start with Hangul", rule.Category, word)
				}
			}
			for _, word := range words.English {
				if strings.ContainsFunc(word, isHangul) {
					t.Errorf("%s: %q holds Hangul", rule.Category, word)
				}
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
			got := found(Rules[:], tt.line)
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
