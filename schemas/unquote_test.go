package schemas

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzStringOf holds our reading of strings to encoding/json's.
func FuzzStringOf(f *testing.F) {
	for _, s := range []string{`""`, `"a"`, `"a\n\t\"\\\/\b\f\r"`, `"\u00e9\uD83D\ude00"`, `"\ud83d"`, `"\ud83dx\ude00"`, `"\ud83d\n"`, `"\ud83d\ud83d\ude00"`, `"\udc00\u0041"`, `"웹훅\\n"`, `5`, `null`, `"\"`, `"\u12"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := stringOf(json.RawMessage(raw)) // never a panic
		var want string
		if len(raw) > 0 && raw[0] == '"' && utf8.ValidString(raw) && json.Unmarshal([]byte(raw), &want) == nil && got != want && raw[len(raw)-1] == '"' {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	})
}
