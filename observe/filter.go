package observe

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
)

// filter takes out of everything that is kept what should not stand on the disk,
// before it is cut: what is private must not lose its end.
type filter struct {
	*privacy.Filter
	report privacy.Report
}

func (f *filter) add(r privacy.Report) {
	if r.Found() || len(r.Warnings) > 0 {
		f.report.Add(r)
	}
}

// text is a text as it may be kept, of at most that many code points. Of one that
// is clipped only the beginning is kept, and nothing after a private section that
// begins in it and does not end.
func (f *filter) text(s string, most int) string {
	s, clipped := f.clipped(s)
	if clipped {
		return head(s, most)
	}
	return limited(s, most)
}

// beginning is text of which only the first code points are kept.
func (f *filter) beginning(s string, most int) string {
	s, clipped := f.clipped(s)
	if fits(s, most) && !clipped {
		return s
	}
	return text.Truncate(s, most) + "\n" + truncated
}

// clipped is what is looked at of a text, filtered.
func (f *filter) clipped(s string) (string, bool) {
	if isBinary(s) {
		return fmt.Sprintf("[binary, %d bytes]", len(s)), false
	}
	s, clipped := clip(s)
	s, r := f.Text(s)
	if unclosed := len(r.Warnings) > 0; clipped && unclosed { // which part of it is private, nobody knows
		s, clipped = privacy.PrivateMarker, false
		r = privacy.Report{HasPrivateSections: true, PrivateCount: 1, OriginalLength: r.OriginalLength, FilteredLength: len(s)}
	}
	f.add(r)
	return s, clipped
}

// name is an id or a name from outside, filtered.
func (f *filter) name(s string) string {
	s, r := f.Text(s)
	f.add(r)
	return name(s)
}

// value is the same for a JSON value, whose keys help to judge what they name.
func (f *filter) value(key string, raw json.RawMessage) any {
	if len(raw) > window {
		return fmt.Sprintf("[%d bytes]", len(raw))
	}
	v, fields := f.Member(key, schemas.Any(raw))
	f.add(privacy.Sum(fields))
	return limitedValue(v)
}

// limitedValue cuts every string of a value.
func limitedValue(v any) any {
	switch v := v.(type) {
	case string:
		if isBinary(v) {
			return fmt.Sprintf("[binary, %d bytes]", len(v))
		}
		return limited(v, maxField)
	case []any:
		for i := range v {
			v[i] = limitedValue(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = limitedValue(v[key])
		}
	}
	return v
}

// isBinary tells what nobody wants to read: a NUL, or every tenth character not
// text among the first.
func isBinary(s string) bool {
	if strings.IndexByte(s[:min(len(s), window)], 0) >= 0 {
		return true
	}
	odd, all := 0, 0
	for _, r := range s[:min(len(s), 4096)] {
		if r == utf8.RuneError || r < ' ' && r != '\n' && r != '\t' && r != '\r' && r != '\x1b' && r != '\b' {
			odd++
		}
		all++
	}
	return odd > 3 && odd*10 > all
}
