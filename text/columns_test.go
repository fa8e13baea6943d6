package text

import "testing"

func TestColumns(t *testing.T) {
	tests := map[string]struct {
		s    string
		n    int
		want string
	}{
		"empty":                   {"", 3, ""},
		"fits":                    {"abc", 3, "abc"},
		"is cut":                  {"abcd", 3, "ab…"},
		"cut at a space":          {"a bcd", 3, "a…"},
		"Korean takes two":        {"한국어", 6, "한국어"},
		"Korean is cut":           {"한국어", 5, "한국…"},
		"Korean at an odd column": {"한국어", 4, "한…"},
		"full width":              {"ＡＢ", 3, "Ａ…"},
		"an emoji":                {"🙂🙂", 3, "🙂…"},
		"marks take none":         {"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
		"marks stay":              {"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"},
		"one column":              {"ab", 1, "…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Columns(tt.s, tt.n); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
