// Package privacy removes from text what must not reach the disk: sections marked
// private, and secrets, which it recognises by their own shape or by the key name
// next to them. It takes text and returns text and a report; it touches no files.
//
// docs/privacy.md states the rules. The work is linear in the length of the text.
package privacy

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Markers that replace what is taken out. A secret is always RedactedMarker.
const (
	PrivateMarker  = "[PRIVATE]"
	RedactedMarker = "[REDACTED]"
)

// Values of Options.OnUnclosed.
const (
	KeepUnclosed   = "keep"
	RedactUnclosed = "redact"
)

// Options are the settings of a filter: the section privacy of memory-config.json. The tags
// are those of schemas.Config.
type Options struct {
	Formats []string `json:"formats" default:"xml|bracket|comment" words:"xml|bracket|comment"` // of private sections
	Marker  string   `json:"marker" default:"[PRIVATE]" words:"[PRIVATE]|[REDACTED]|"`
	// PreserveLineCount keeps all line breaks, also those in what is taken out.
	PreserveLineCount bool   `json:"preserveLineCount" default:"false"`
	OnUnclosed        string `json:"onUnclosed" default:"keep" words:"keep|redact"`
	// ExcludePatterns are RE2. Filter ignores those that CheckPatterns refuses.
	ExcludePatterns []string `json:"excludePatterns" format:"regex" items:"64"`
}

// Filter removes private sections and secrets from text.
type Filter struct {
	formats        [len(formatNames)]bool
	marker         string
	keepLines      bool
	redactUnclosed bool
	patterns       []pattern
	deadline       time.Time // zero for none
}

// Filter makes a filter.
func (o Options) Filter() *Filter {
	f := &Filter{marker: o.Marker, keepLines: o.PreserveLineCount, redactUnclosed: o.OnUnclosed == RedactUnclosed}
	for i, name := range formatNames {
		f.formats[i] = slices.Contains(o.Formats, name)
	}
	f.patterns = compilePatterns(o.ExcludePatterns)
	return f
}

// Within returns a filter that stops at the deadline of a context. A text that it has not
// filtered by then is hidden whole, and the report says so.
func (f *Filter) Within(ctx context.Context) *Filter {
	limited := *f
	limited.deadline, _ = ctx.Deadline()
	return &limited
}

// late reports whether the deadline is over.
func (f *Filter) late() bool { return !f.deadline.IsZero() && !time.Now().Before(f.deadline) }

// Text filters a text until nothing more is found, so that filtering it again changes
// nothing. It also shortens runs of line breaks to two.
func (f *Filter) Text(s string) (string, Report) { return f.filter(s, !f.keepLines) }

// Lines is Text for callers that measure distances in lines: blank lines stay.
func (f *Filter) Lines(s string) (string, Report) { return f.filter(s, false) }

// maxPasses bounds how often a text is filtered. What is taken out can leave a new
// tag or secret behind; two passes are the rule. A text that needs more than
// maxPasses is made for that and is hidden whole.
const maxPasses = 4

func (f *Filter) filter(s string, shortenBreaks bool) (string, Report) {
	r := Report{OriginalLength: utf8.RuneCountInString(s)}
	out := s
	for range maxPasses {
		before := out
		r.Warnings = slices.DeleteFunc(r.Warnings, isNotFiltered) // only the last pass knows
		out = f.removeSections(out, &r)
		out = f.redactSecrets(out, &r)
		if f.late() {
			return f.hidden(s, "not filtered in time", r)
		}
		if shortenBreaks {
			out = shortenLineBreaks(out)
		}
		if out == before {
			return out, r.withFilteredLength(out)
		}
	}
	return f.hidden(s, "no end of tags within tags", r)
}

// hidden takes out a whole text.
func (f *Filter) hidden(s, reason string, r Report) (string, Report) {
	r.addSection()
	r.Warnings = []string{reason + ": all of the text was hidden"}
	out := f.replacement(s, PrivateMarker)
	return out, r.withFilteredLength(out)
}

// replacement returns what stands in place of a text that is taken out.
func (f *Filter) replacement(s, marker string) string {
	if f.keepLines {
		marker += strings.Repeat("\n", strings.Count(s, "\n"))
	}
	return marker
}

// shortenLineBreaks makes two of three or more line breaks in a row. A carriage
// return goes with its line feed.
func shortenLineBreaks(s string) string {
	if !strings.Contains(s, "\n\n\n") && !strings.Contains(s, "\n\r\n\r\n") {
		return s
	}
	var kept strings.Builder
	breaks := 0
	for line := range strings.SplitAfterSeq(s, "\n") {
		if line != "\n" && line != "\r\n" {
			breaks = 0
		}
		if breaks++; breaks <= 2 || !strings.HasSuffix(line, "\n") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
