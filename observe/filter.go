package observe

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/schemas"
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
	if isBinary(s) {
		return fmt.Sprintf("[binary, %d bytes]", len(s))
	}
	s, clipped := clip(s)
	s, r := f.Text(s)
	f.add(r)
	if !clipped {
		return limited(s, most)
	}
	if unclosed := len(r.Warnings) > 0; unclosed {
		return privacy.PrivateMarker // which part of it, nobody knows
	}
	return head(s, most)
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
// text, among the first.
func isBinary(s string) bool {
	odd, all := 0, 0
	for _, r := range s[:min(len(s), 4096)] {
		if r == 0 {
			return true
		}
		if r == utf8.RuneError || r < ' ' && r != '\n' && r != '\t' && r != '\r' && r != '\x1b' && r != '\b' {
			odd++
		}
		all++
	}
	return odd > 3 && odd*10 > all
}
