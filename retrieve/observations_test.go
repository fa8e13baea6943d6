package retrieve

import (
	"strings"
	"testing"

	"memctl/db"
)

func TestMatchAllQuotesWords(t *testing.T) {
	for in, want := range map[string]string{"": "", "lock timeout": `"lock" "timeout"`, `a"b OR -c*`: `"a""b" "OR" "-c*"`} {
		if got := db.MatchAll(strings.Fields(in)); got != want {
			t.Errorf("%s: got %s", in, got)
		}
	}
}
