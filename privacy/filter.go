// Package privacy removes from text what must not reach the disk: sections marked
// private, and secrets, which it recognises by their own shape or by the key name
// next to them. It takes text and returns text and a report; it touches no files.
//
// docs/trust.md states the rules. The work is linear in the length of the text.
package privacy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Markers that replace removed text. A secret is always RedactedMarker.
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
	// PreserveLineCount keeps all line breaks, also those in removed text.
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

// Prompt returns the filter for a message that a person typed. There a tag that nothing closes hides all that follows,
// whatever OnUnclosed says: the person meant it, and cannot change the message any more.
func (f *Filter) Prompt() *Filter {
	strict := *f
	strict.redactUnclosed = true
	return &strict
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

// replacement returns the replacement for a removed text.
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
	var out strings.Builder
	breaks := 0
	for line := range strings.SplitAfterSeq(s, "\n") {
		if line != "\n" && line != "\r\n" {
			breaks = 0
		}
		if breaks++; breaks <= 2 || !strings.HasSuffix(line, "\n") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Field is a string of a JSON value, or a key, from which something was taken out.
type Field struct {
	Path   string `json:"field"` // content.rationale[0]
	Report Report `json:"report"`
	// Emptied is set if only markers are left.
	Emptied bool `json:"emptied,omitempty"`
}

// Value filters every string and every key of a decoded JSON value, except for the
// strings that exempt accepts by their path and text; nil exempts none. A key helps to
// judge its value. Value changes maps and lists in place and returns the new value, with
// a Field for each string that has something to report.
func (f *Filter) Value(v any, exempt func(path, s string) bool) (any, []Field) {
	w := valueWalker{filter: f, exempt: exempt}
	return w.value("", "", v), w.fields
}

// Member is Value for a member of an object, whose key helps to judge it.
func (f *Filter) Member(key string, v any) (any, []Field) {
	w := valueWalker{filter: f}
	return w.value(key, key, v), w.fields
}

// Key filters a key of an object, and numbers it if the object has such a key already.
func (f *Filter) Key(object map[string]any, key string) (string, Report) {
	return f.key(object, key, map[string]int{})
}

// key is Key that counts in used how often it gave a key to this object, so that many
// alike are not counted from the first each time.
func (f *Filter) key(object map[string]any, key string, used map[string]int) (string, Report) {
	const shortestSecret = 16
	if len(key) < shortestSecret && consistsOf(key, dashed) {
		return key, Report{}
	}
	out, r := f.Text(key)
	if !r.Found() {
		return key, r
	}
	for {
		used[out]++
		free := out
		if n := used[out]; n > 1 {
			free = fmt.Sprintf("%s %d", out, n)
		}
		if _, taken := object[free]; !taken {
			return free, r
		}
	}
}

// Sum adds up the reports of all fields.
func Sum(fields []Field) Report {
	var r Report
	for _, field := range fields {
		r.Add(field.Report)
	}
	return r
}

// OnlyMarkers reports whether a text consists of markers and white space.
func OnlyMarkers(s string) bool {
	return isBlankText(strings.NewReplacer(PrivateMarker, "", RedactedMarker, "").Replace(s))
}

// valueWalker filters a JSON value from the top down.
type valueWalker struct {
	filter *Filter
	exempt func(path, s string) bool
	fields []Field
}

// value filters what stands at a path, under the innermost key.
func (w *valueWalker) value(path, key string, v any) any {
	switch v := v.(type) {
	case string:
		return w.text(path, key, v)
	case []any:
		for i := range v {
			v[i] = w.value(fmt.Sprintf("%s[%d]", path, i), key, v[i])
		}
	case map[string]any:
		w.members(path, v)
	}
	return v
}

func (w *valueWalker) members(path string, object map[string]any) {
	if path != "" {
		path += "."
	}
	used := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		member := object[name]
		delete(object, name)
		key, r := w.filter.key(object, name, used)
		if r.Found() {
			w.fields = append(w.fields, Field{Path: path + key, Report: r})
		}
		object[key] = w.value(path+key, name, member)
	}
}

func (w *valueWalker) text(path, key, s string) string {
	if w.exempt != nil && w.exempt(path, s) {
		return s
	}
	out, r := w.filter.Text(s)
	if kind := kindOfName(key); kind != "" && out == s && isSecretMember(kind, key, s) {
		out = RedactedMarker
		r.addSecrets(kind, 1)
		r = r.withFilteredLength(out)
	}
	if r.Found() || len(r.Warnings) > 0 {
		w.fields = append(w.fields, Field{path, r, r.Found() && OnlyMarkers(out)})
	}
	return out
}

// isSecretMember judges a whole string by its key.
func isSecretMember(kind, key, s string) bool {
	c := candidate{kind: kind, keyName: key, value: s[:min(len(s), maxJudged)], quoted: true, relation: mapped}
	return c.isSecret()
}
