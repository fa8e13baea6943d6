package privacy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSections has a case for every rule of docs/trust.md.
func TestSections(t *testing.T) {
	const kept = "unclosed <private>: content was NOT filtered"
	tests := map[string]struct {
		in, want string
		warning  string
	}{
		"a section":                     {"a <private>b</private> c", "a [PRIVATE] c", ""},
		"in any case":                   {"a <PRIVATE>b</Private> c", "a [PRIVATE] c", ""},
		"self-closing":                  {"a <private/>b</private> <private />c</private>", "a [PRIVATE] [PRIVATE]", ""},
		"brackets":                      {"a [private]b[/private] [Private]c[/PRIVATE]", "a [PRIVATE] [PRIVATE]", ""},
		"brackets in capitals":          {"a [PRIVATE]b[/PRIVATE] c", "a [PRIVATE] c", ""},
		"a comment":                     {"a <!-- private -->b<!-- /private --> <!--Private-->c<!--/PRIVATE-->", "a [PRIVATE] [PRIVATE]", ""},
		"over lines":                    {"a\n<private>\nb\n\nc\n</private>\nd", "a\n[PRIVATE]\nd", ""},
		"several":                       {"<private>a</private>b<private>c</private>", "[PRIVATE]b[PRIVATE]", ""},
		"empty":                         {"a<private></private>b<private> \n </private>c", "abc", ""},
		"nested":                        {"<private>a<private>b</private>c</private>d", "[PRIVATE]d", ""},
		"nested deep":                   {strings.Repeat("<private>", 1000) + "a" + strings.Repeat("</private>", 1000) + "b", "[PRIVATE]b", ""},
		"formats within each other":     {"<private>a[private]b</private>c[/private]d", "[PRIVATE]d", ""},
		"with attributes":               {`<private reason="a/b">c</private>`, "[PRIVATE]", ""},
		"with an attribute and a slash": {`<private reason="a" />c</private>`, "[PRIVATE]", ""},
		"unclosed":                      {"a <private> b", "a <private> b", kept},
		"unclosed, another closed":      {"<private> a [private]b[/private]", "<private> a [PRIVATE]", kept},
		"one of two unclosed":           {"a <private>b<private>c</private> d", "a [PRIVATE] d", "unclosed <private>: hidden up to the last </private>"},
		"closed only":                   {"a</private> b", "a</private> b", "</private> without an opening tag: what stands before it was NOT filtered"},
		"the marker itself":             {"a [PRIVATE] b [PRIVATE] c", "a [PRIVATE] b [PRIVATE] c", ""},
		"a marker and a section":        {"a [PRIVATE] b [private]c[/private]", "a [PRIVATE] b [PRIVATE]", ""},
		"blank lines":                   {"a\n\n\n\nb\r\n\r\n\r\nc\n\nd", "a\n\nb\r\n\r\nc\n\nd", ""},
		"blank lines around a section":  {"a\n\n<private></private>\n\nb", "a\n\nb", ""},

		"inline code":                {"the `<private>` tag, `<private>a</private>`", "the `<private>` tag, `<private>a</private>`", ""},
		"inline code, two backticks": {"`` `<private>a</private> ``", "`` `<private>a</private> ``", ""},
		"a single backtick":          {"it`s <private>a</private>", "it`s [PRIVATE]", ""},
		"backticks on two lines":     {"a ` b\n<private>c</private> ` d", "a ` b\n[PRIVATE] ` d", ""},
		"a fenced block":             {"a\n```html\n<private>b</private>\n```\nc <private>d</private>", "a\n```html\n<private>b</private>\n```\nc [PRIVATE]", ""},
		"a block of tildes":          {"~~~\n<private>a</private>\n```\n~~~~", "~~~\n<private>a</private>\n```\n~~~~", ""},
		"a block in a list":          {"- a\n  ```\n  <private>b</private>\n  ```", "- a\n  ```\n  <private>b</private>\n  ```", ""},
		"a fence that is not closed": {"```\n<private>a</private>\n", "```\n[PRIVATE]\n", ""},
		"code within a section":      {"<private>`a</private>` b", "[PRIVATE]` b", ""},

		"trick: a line break in the tag":    {"<private\n>a</private\n>", "[PRIVATE]", ""},
		"trick: a line break in the name":   {"<pri\nvate>a</pri\nvate>", "<pri\nvate>a</pri\nvate>", ""},
		"trick: a space after the bracket":  {"< private >a</ private >", "[PRIVATE]", ""},
		"trick: zero-width characters":      {"<pri\u200bvate>a</\ufeffprivate\u2060>", "[PRIVATE]", ""},
		"trick: full-width brackets":        {"＜private＞a＜／private＞ ［ｐｒｉｖａｔｅ］b［/private］", "[PRIVATE] [PRIVATE]", ""},
		"trick: a letter of another script": {"<privаte>a</privаte>", "<privаte>a</privаte>", ""},
		"trick: full-width end of a tag":    {"<private a=\"b\"＞c</private> d", "[PRIVATE] d", ""},
		"trick: entities":                   {"&lt;private&gt;a&lt;/private&gt;", "&lt;private&gt;a&lt;/private&gt;", ""},
		"trick: a tag around a tag":         {"<pri<private></private>vate>a</private>", "[PRIVATE]", ""},
		"trick: far too many of them":       {strings.Repeat("<pri", 9) + "<private>" + strings.Repeat("</private>vate>", 9) + "a</private>", "[PRIVATE]", "no end of tags within tags: all of the text was hidden"},
		"other words":                       {"<privates>a</privates> [private-beta] <private_key>b <private key>", "<privates>a</privates> [private-beta] <private_key>b <private key>", ""},
	}
	f := defaults().Filter()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, r := f.Text(tt.in)
			if got != tt.want || strings.Join(r.Warnings, "\n") != tt.warning {
				t.Errorf("got %q, %q", got, r.Warnings)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	const text = "a\n\n\n<private>b\nc</private>\n[private]d[/private]\npassword=hunter2x <private>e\nf"
	tests := map[string]struct {
		options Options
		want    string
	}{
		"nothing set":            {Options{}, "a\n\n<private>b\nc</private>\n[private]d[/private]\npassword=[REDACTED] <private>e\nf"},
		"no marker":              {Options{Formats: Formats()}, "a\n\n\n\npassword=[REDACTED] <private>e\nf"},
		"one format":             {Options{Formats: []string{"bracket"}, Marker: RedactedMarker}, "a\n\n<private>b\nc</private>\n[REDACTED]\npassword=[REDACTED] <private>e\nf"},
		"the line count":         {Options{Formats: Formats(), Marker: PrivateMarker, PreserveLineCount: true}, "a\n\n\n[PRIVATE]\n\n[PRIVATE]\npassword=[REDACTED] <private>e\nf"},
		"unclosed tags redacted": {Options{Formats: Formats(), Marker: PrivateMarker, OnUnclosed: RedactUnclosed}, "a\n\n[PRIVATE]\n[PRIVATE]\npassword=[REDACTED] [PRIVATE]"},
		"patterns":               {Options{Marker: PrivateMarker, ExcludePatterns: []string{`d\[`, `(`, `x*`}}, "a\n\n<private>b\nc</private>\n[private][REDACTED]/private]\npassword=[REDACTED] <private>e\nf"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, _ := tt.options.Filter().Text(text); got != strings.ReplaceAll(tt.want, "\n\n\n\n", "\n\n") {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestReport(t *testing.T) {
	_, got := defaults().Filter().Text("비밀 <private>a</private>, <private>b</private>, pwd=hunter2x, pwd=hunter3x, AKIA" + "Q3EGZ7BM2TYRWX5N <private>")
	want := Report{HasPrivateSections: true, PrivateCount: 2, Secrets: map[string]int{"password": 2, "aws_key": 1}, OriginalLength: 105, FilteredLength: 77,
		Warnings: []string{"unclosed <private>: content was NOT filtered"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want, got := "2 private sections, 3 secrets (1 aws_key, 2 password)", got.String(); got != want {
		t.Errorf("got %s", got)
	}
	if diff := cmp.Diff([]string{"2 private sections excluded from memory", "3 secrets redacted: 1 aws_key, 2 password"}, got.Sentences()); diff != "" {
		t.Error(diff)
	}
}

// The keys of a JSON object help to judge its strings.
func TestValue(t *testing.T) {
	v := map[string]any{"password": "Winter-Harbor7", "n": 5.0, "list": []any{"ok", "<private>x</private>", map[string]any{"api_key": []any{"9f8b7c6d5e4f3a2b1c0d"}}}, "token": "next"}
	got, fields := defaults().Filter().Value(map[string]any{"content": v, "id": "pwd=hunter2x"}, func(path, s string) bool { return path == "id" && s == "pwd=hunter2x" })
	content := map[string]any{"password": "[REDACTED]", "n": 5.0, "list": []any{"ok", "[PRIVATE]", map[string]any{"api_key": []any{"[REDACTED]"}}}, "token": "next"}
	want := map[string]any{"content": content, "id": "pwd=hunter2x"}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Error(diff)
	}
	var paths []string
	for _, field := range fields {
		paths = append(paths, field.Path)
		if !field.Emptied {
			t.Errorf("%s is not emptied", field.Path)
		}
	}
	if diff := cmp.Diff([]string{"content.list[1]", "content.list[2].api_key[0]", "content.password"}, paths); diff != "" {
		t.Error(diff)
	}
}
