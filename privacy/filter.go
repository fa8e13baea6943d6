package privacy

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/patterns"
)

// What may stand in the place of a private section.
const (
	PrivateMarker  = "[PRIVATE]"
	RedactedMarker = "[REDACTED]" // of a secret always
)

// The values of Options.OnUnclosed.
const (
	KeepUnclosed   = "keep"
	RedactUnclosed = "redact"
)

// Options are the settings of a filter.
type Options struct {
	Formats []string // of private sections, out of Formats
	Marker  string   // PrivateMarker, RedactedMarker or ""
	// PreserveLineCount leaves the line breaks of what is taken out, and every
	// other one.
	PreserveLineCount bool
	OnUnclosed        string
	ExcludePatterns   []string // RE2; ones that do not compile are passed over
}

// Filter takes private sections and secrets out of text.
type Filter struct {
	formats        [len(formatNames)]bool
	marker         string
	keepLines      bool
	redactUnclosed bool
	patterns       []patterns.Pattern
}

// New makes a filter.
func New(o Options) *Filter {
	f := &Filter{marker: o.Marker, keepLines: o.PreserveLineCount, redactUnclosed: o.OnUnclosed == RedactUnclosed}
	for i, name := range formatNames {
		for _, wanted := range o.Formats {
			f.formats[i] = f.formats[i] || name == wanted
		}
	}
	for _, pattern := range o.ExcludePatterns {
		compiled, err := patterns.Compile(pattern)
		if errors.Is(err, patterns.ErrNone) {
			panic(err) // rather than let secrets through
		}
		if err == nil {
			f.patterns = append(f.patterns, compiled)
		}
	}
	return f
}

// maxPasses bounds how often a text is gone through. What is taken out can leave
// behind what makes up a new tag or secret; two passes are the rule.
const maxPasses = 4

// Text filters a text until there is nothing more to take out, so that filtering
// it again changes nothing. One that is built to go on and on is hidden whole.
func (f *Filter) Text(s string) (string, Report) { return f.untilDone(s, !f.keepLines) }

// Lines is Text for those who count lines: blank ones stay.
func (f *Filter) Lines(s string) (string, Report) { return f.untilDone(s, false) }

func (f *Filter) untilDone(s string, closeUp bool) (string, Report) {
	r := Report{OriginalLength: utf8.RuneCountInString(s)}
	out := s
	for range maxPasses {
		before := out
		r.Warnings = slices.DeleteFunc(r.Warnings, isDoubt) // the last pass knows
		if out = f.pass(before, closeUp, &r); out == before {
			return out, r.of(out)
		}
	}
	r.private()
	r.Warnings = []string{"no end of tags within tags: all of the text was hidden"}
	out = f.hidden(s, PrivateMarker)
	return out, r.of(out)
}

func (f *Filter) pass(s string, closeUp bool, r *Report) string {
	s = f.withoutSections(s, r)
	s = f.withoutSecrets(s, r)
	if closeUp {
		s = withoutBlankLines(s)
	}
	return s
}

// hidden is what stands for a text that is taken out.
func (f *Filter) hidden(s, marker string) string {
	if f.keepLines {
		marker += strings.Repeat("\n", strings.Count(s, "\n"))
	}
	return marker
}

// withoutBlankLines makes two of three or more line breaks in a row.
func withoutBlankLines(s string) string {
	if !strings.Contains(s, "\n\n\n") && !strings.Contains(s, "\n\r\n\r\n") {
		return s
	}
	var kept strings.Builder
	kept.Grow(len(s))
	breaks := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			breaks++
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			if breaks >= 2 {
				continue // goes with its line feed
			}
		default:
			breaks = 0
		}
		if s[i] != '\n' || breaks <= 2 {
			kept.WriteByte(s[i])
		}
	}
	return kept.String()
}
