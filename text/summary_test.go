package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSummary(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"the first sentence", "A message is rejected. Photos go elsewhere.", "A message is rejected."},
		{"one sentence stays", "no full stop at all", "no full stop at all"},
		{"an abbreviation ends nothing", "Use a lock, e.g. flock, for it. Always.", "Use a lock, e.g. flock, for it."},
		{"a version number ends nothing", "Since 1.26.8 it works. Before not.", "Since 1.26.8 it works."},
		{"Korean", "재시도는 다섯 번이다. 그 뒤에는 멈춘다.", "재시도는 다섯 번이다."},
		{"Japanese", "五回まで。その後は止まる。", "五回まで。"},
		{"lines are joined", "two\n\tlines  here", "two lines here"},
		{"a block of code is shortened", "Run\n```sh\nrm -rf x. And more.\n```\nand wait. Then go.", "Run [code] and wait."},
		{"an open block too", "Run ```sh\nrm -rf x", "Run [code]"},
		{"code alone", "```\nx\n```", "[code]"},
		{"what drives a terminal goes", "a\x1b[31mb\u202ec", "a[31mbc"},
		{"nothing", " \n ", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Summary(test.in, 100); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := Summary(strings.Repeat("가", 300), 100); utf8.RuneCountInString(got) != 100 || !strings.HasSuffix(got, "…") {
		t.Errorf("a long sentence became %q", got)
	}
}

func TestHasCode(t *testing.T) {
	for in, want := range map[string]bool{"run `go vet`": true, "a ```\nblock\n``` of it": true, "it`s": false, "": false} {
		if HasCode(in) != want {
			t.Errorf("HasCode(%q) is %t", in, !want)
		}
	}
}

func TestCostRoundsUp(t *testing.T) {
	for in, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "가나다라": 1} {
		if got := Cost(in); got != want {
			t.Errorf("Cost(%q) = %d, want %d", in, got, want)
		}
	}
}

func FuzzSummary(f *testing.F) {
	f.Add("A sentence. ```code``` Another.", 20)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 1 + n&127
		got := Summary(s, n)
		if utf8.RuneCountInString(got) > n || strings.ContainsAny(got, "\n\r\t\x1b") {
			t.Errorf("Summary(%q, %d) = %q", s, n, got)
		}
	})
}

func TestFirstSentence(t *testing.T) {
	tests := map[string]struct{ text, first, rest string }{
		"two sentences":       {"Use pnpm. It is fast. And small.", "Use pnpm.", "It is fast. And small."},
		"one":                 {"Use pnpm", "Use pnpm", ""},
		"a full stop within":  {"Use v1.2, e.g. for tests! Why not?", "Use v1.2, e.g. for tests!", "Why not?"},
		"Korean and Japanese": {"설정을 바꿨다. 느렸다.", "설정을 바꿨다.", "느렸다."},
		"Chinese":             {"使用连接池。更快。", "使用连接池。", "更快。"},
		"lines":               {"\n  Retry the upload\n\nIt fails.\n", "Retry the upload", "It fails."},
		"nothing":             {" \n", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if first, rest := FirstSentence(tt.text); first != tt.first || rest != tt.rest {
				t.Errorf("got %q and %q, want %q and %q", first, rest, tt.first, tt.rest)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	got := Sentences("One. Two!\nthree\n\n Four。Five ")
	if want := []string{"One.", "Two!", "three", "Four。", "Five"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCutSentence(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"One.\n Two.", 20, "One. Two."},
		{"One. Two and more.", 10, "One."},
		{"One. Two. Three and more.", 10, "One. Two."},
		{"A sentence that does not end", 15, "A sentence…"},
		{"Averylongwordthatdoesnotend", 10, "Averylong…"},
		{"一つの文。二つ目の文。", 6, "一つの文。"},
		{"Anything", 0, ""},
		{"Anything", 1, ""},
	} {
		if got := CutSentence(tt.in, tt.n); got != tt.want {
			t.Errorf("%q in %d: got %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestShortFormsEndNoSentence(t *testing.T) {
	for s, want := range map[string]string{
		"Dr. Kim owns auth. Ask him first.":          "Dr. Kim owns auth.",
		"Dates are UTC, e.g. `2024-01-01`. No zone.": "Dates are UTC, e.g. `2024-01-01`.",
		"Use Node 20. It is fast.":                   "Use Node 20.",
	} {
		if first, _ := FirstSentence(s); first != want {
			t.Errorf("got %q, want %q", first, want)
		}
	}
}
