package schemas

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStartLine(t *testing.T) {
	long := strings.Repeat("A sentence of some words. ", 20)
	for name, tt := range map[string]struct{ title, sentence, want string }{
		"the title alone":                     {"Use pnpm", "", "Use pnpm"},
		"the rule, then the reason":           {"Use pnpm", "The lock file of npm breaks the cache.", "Use pnpm. The lock file of npm breaks the cache."},
		"a title with a full stop":            {"Use pnpm.", "npm breaks the cache.", "Use pnpm. npm breaks the cache."},
		"a question":                          {"Why pnpm?", "npm breaks the cache.", "Why pnpm? npm breaks the cache."},
		"a sentence that has the title":       {"Use pnpm", "Use pnpm, since npm breaks the cache.", "Use pnpm, since npm breaks the cache."},
		"a title that is cut off":             {"Use pnpm, since npm…", "Use pnpm, since npm breaks the cache.", "Use pnpm, since npm breaks the cache."},
		"other marks in a title that is cut":  {"Stop, wait…", "Stop: wait a day.", "Stop: wait a day."},
		"a sentence of other words":           {"Stop, wait…", "Stop: go.", "Stop, wait…. Stop: go."},
		"a sentence that names the title":     {"Cards", "To log Cards is forbidden.", "To log Cards is forbidden."},
		"no title":                            {"", "Use pnpm.", "Use pnpm."},
		"Korean":                              {"배포는 화요일에 한다", "금요일에는 아무도 없다.", "배포는 화요일에 한다. 금요일에는 아무도 없다."},
		"a sentence that is cut, title whole": {"Use pnpm", long, "Use pnpm. " + strings.TrimSpace(long[:26*8])},
	} {
		t.Run(name, func(t *testing.T) {
			got := StartLine(tt.title, tt.sentence)
			if got != tt.want || utf8.RuneCountInString(got) > maxStartLine {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
