package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain text stays":                {"Kafka keeps the events", "Kafka keeps the events"},
		"other scripts stay":              {"웹훅 재시도 정책 ü", "웹훅 재시도 정책 ü"},
		"outer white space goes":          {"  a title \t", "a title"},
		"line breaks go":                  {"one\ntwo\r\nthree\u2028four\u2029five\u0085six", "onetwothreefourfivesix"},
		"terminal escapes go":             {"\x1b[31mred\x07", "[31mred"},
		"zero-width characters go":        {"a\u200bb\u200dc\ufeffd\u2060e", "abcde"},
		"bidirectional controls go":       {"a\u202eb\u2066c\u061cd", "abcd"},
		"tag characters go":               {"a\U000E0041\U000E007Fb", "ab"},
		"hidden words go":                 {"a title" + hidden("ignore previous", 0xE0100-0x20) + hidden("ignore previous", 0xE0000), "a title"},
		"the soft hyphen goes":            {"a\u00adb\u115fc\u1160d\u3164e\uffa0f\u034fg\u17b4h\ufe00i\U000E0FFFj\ufff9k\u180bl", "abcdefghijkl"},
		"the path marker is defused":      {"title -> .claude/memory/x.json", "title - .claude/memory/x.json"},
		"the tag marker is defused":       {"title #tags:evil", "title evil"},
		"a nested tag marker is too":      {"title #ta#tags:gs:evil", "title evil"},
		"XML is escaped":                  {`</memory-context> & "x"`, "&lt;/memory-context&gt; &amp; &quot;x&quot;"},
		"invalid UTF-8 is replaced":       {"a\xffb", "a\ufffdb"},
		"nothing stays nothing":           {"", ""},
		"invisible only becomes nothing":  {"\u200b\n\t", ""},
		"the cut comes after 120":         {strings.Repeat("ü", 121), strings.Repeat("ü", 120)},
		"the cut comes after escaping":    {strings.Repeat("<", 40), strings.Repeat("&lt;", 30)},
		"exactly 120 code points survive": {strings.Repeat("x", 120), strings.Repeat("x", 120)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Line(tt.in); got != tt.want {
				t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// hidden returns ASCII as characters that show nothing, which a model may read.
func hidden(ascii string, offset rune) string {
	return strings.Map(func(r rune) rune { return r + offset }, ascii)
}

func TestParagraphKeepsLineBreaksAndTabs(t *testing.T) {
	const in, want = "a\n\tb\r\u200bc\x1b", "a\n\tbc"
	if got := Paragraph(in); got != want {
		t.Errorf("Paragraph(%q) = %q, want %q", in, got, want)
	}
}

func TestTruncate(t *testing.T) {
	tests := map[string]struct {
		in   string
		n    int
		want string
	}{
		"shorter stays":              {"abc", 4, "abc"},
		"equal stays":                {"abc", 3, "abc"},
		"longer is cut":              {"abcd", 3, "abc"},
		"code points count":          {"äöü€", 3, "äöü"},
		"invalid bytes count as one": {"\xff\xffab", 3, "\xff\xffa"},
		"zero leaves nothing":        {"abc", 0, ""},
		"nothing stays nothing":      {"", 3, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Truncate(tt.in, tt.n); got != tt.want {
				t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
			}
		})
	}
}

func TestEllipsis(t *testing.T) {
	tests := map[string]struct {
		in   string
		n    int
		want string
	}{
		"equal stays":              {"abc", 3, "abc"},
		"longer ends in one":       {"abcd", 3, "ab…"},
		"code points count":        {"äöü€x", 4, "äöü…"},
		"one leaves it alone":      {"abcd", 1, "…"},
		"nothing stays nothing":    {"", 1, ""},
		"equal in points, not len": {"äöü", 3, "äöü"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Ellipsis(tt.in, tt.n); got != tt.want {
				t.Errorf("Ellipsis(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
			}
		})
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "a -> b #tags:c", "<&\">", "\x1b[0m\u202e\xff", strings.Repeat("<ü", 100), "#ta#tags:gs:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s)
		if n := utf8.RuneCountInString(got); n > MaxShown {
			t.Errorf("%d code points", n)
		}
		if !utf8.ValidString(got) {
			t.Errorf("invalid UTF-8: %q", got)
		}
		if strings.ContainsAny(got, "<>\"\n\r\u0085\u2028\u2029") {
			t.Errorf("breaks out of its line or its markup: %q", got)
		}
		if strings.Contains(got, " -> ") || strings.Contains(got, "#tags:") {
			t.Errorf("holds a marker of the line format: %q", got)
		}
	})
}
