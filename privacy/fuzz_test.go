package privacy

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// filtersForAllOptions returns filters that cover every value of every option.
func filtersForAllOptions() []*Filter {
	var filters []*Filter
	for _, marker := range []string{PrivateMarker, RedactedMarker, ""} {
		for _, unclosed := range []string{KeepUnclosed, RedactUnclosed} {
			o := Options{Formats: Formats(), Marker: marker, OnUnclosed: unclosed}
			filters = append(filters, o.Filter())
			o.PreserveLineCount = true
			o.ExcludePatterns = []string{`falcon-\w+`, `^.`, `\] ?.`, `(?m)^internal:.*$`}
			filters = append(filters, o.Filter())
		}
	}
	return filters
}

// Filtering a second time changes nothing, valid UTF-8 stays valid, and line breaks
// stay if the option says so.
func FuzzText(f *testing.F) {
	for _, name := range []string{"secrets.txt", "lookalikes.txt"} {
		for _, line := range corpus(f, name) {
			f.Add(marked.ReplaceAllString(line, "$1"))
		}
	}
	for _, s := range sectionSeeds {
		f.Add(s)
	}
	filters := filtersForAllOptions()
	f.Fuzz(func(t *testing.T, s string) {
		for _, filter := range filters {
			out, r := filter.Text(s)
			if again, _ := filter.Text(out); again != out {
				t.Errorf("%+v: %q became %q, then %q", filter, s, out, again)
			}
			if utf8.ValidString(s) && !utf8.ValidString(out) {
				t.Errorf("%+v: %q became %q", filter, s, out)
			}
			if filter.keepLines && strings.Count(out, "\n") != strings.Count(s, "\n") {
				t.Errorf("%+v: the lines of %q became %q", filter, s, out)
			}
			if !r.Found() && r.OriginalLength < r.FilteredLength {
				t.Errorf("%+v: %q grew to %q", filter, s, out)
			}
		}
	})
}

var sectionSeeds = []string{
	"a <private>b</private> c", "<private><private>a</private>b</private>", "<pri<private></private>vate>a</private>",
	"` <private>\n</private> `<private>x</private>` z", "[PRIVATE] a [private]b[/private] [/PRIVATE]", "```\n<private>x</private>\n```\n<private>y",
	"<private\n>a</private\n>", "<pri\u200bvate>a</private>", "＜private＞a＜/private＞", "<!-- private -->a<!-- /private -->", "<private/>a</private>",
	"a\n\n\n\nb\r\n\r\n\r\nc", "password=<private>x</private>y", "[RED<private></private>ACTED]", "~~~~\n```\n~~~~\n`` ` ``", "://00000000000000000000@:", "-----BEGIN PRIVATE KEY-----\n" + "aB3dEfGhIjKlMnOpQrStUvWxYz0123456789",
}

// The content of a closed section outside code never survives.
func FuzzSection(f *testing.F) {
	f.Add("before ", "body", " after", byte(0))
	f.Add("<private> [private", "<private>`", "` </private>", byte(1))
	f.Add("[PRIVATE] </private>\n", "```\n[private]", "```", byte(2))
	f.Add("<pri\u200b\n", "password=\"", "\"[/private]", byte(0))
	const canary = "qzcanaryzq"
	filters := filtersForAllOptions()
	f.Fuzz(func(t *testing.T, before, body, after string, form byte) {
		before = strings.NewReplacer("`", "", "~", "", canary, "").Replace(before) // so that no code begins before the section
		body = strings.NewReplacer("/", "", "／", "", canary, "").Replace(body)     // so that nothing else ends it
		after = strings.ReplaceAll(after, canary, "")
		i := int(form) % len(openingTags)
		s := before + openingTags[i] + canary + body + canary + closingTags[i] + after
		for _, filter := range filters {
			if out, r := filter.Text(s); strings.Contains(out, canary) || !r.HasPrivateSections {
				t.Errorf("%+v: %q became %q, %+v", filter, s, out, r)
			}
		}
	})
}
