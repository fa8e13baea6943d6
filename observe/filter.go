package observe

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/uuid"
)

// filter removes secrets and private sections from everything that is kept. It does
// so before a text is cut: a private section must not lose its end.
type filter struct {
	*privacy.Filter
	report privacy.Report
}

func (f *filter) add(r privacy.Report) {
	if r.Found() || len(r.Warnings) > 0 {
		f.report.Add(r)
	}
}

// text filters a text and cuts it to at most most code points. Of a text that is too
// long to be examined it keeps only the beginning, and nothing if a private section
// begins there and does not end.
func (f *filter) text(s string, most int) string {
	s, clipped := f.clipped(s)
	if clipped {
		return head(s, most)
	}
	return limited(s, most)
}

// beginning is like text but keeps only the first code points.
func (f *filter) beginning(s string, most int) string {
	s, clipped := f.clipped(s)
	if fits(s, most) && !clipped {
		return s
	}
	return text.Truncate(s, most) + "\n" + truncated
}

// clipped filters the part of a text that is examined and reports whether there was
// more.
func (f *filter) clipped(s string) (string, bool) {
	if isBinary(s) {
		return fmt.Sprintf("[binary, %d bytes]", len(s)), false
	}
	s, clipped := clip(s)
	s, r := f.Text(s)
	if unclosed := len(r.Warnings) > 0; clipped && unclosed { // the end of the private section is unknown
		s, clipped = privacy.PrivateMarker, false
		r = privacy.Report{
			HasPrivateSections: true, PrivateCount: 1, OriginalLength: r.OriginalLength, FilteredLength: len(s),
		}
	}
	f.add(r)
	return s, clipped
}

// id filters an id from a client. A UUID stays as it is: it holds no secret, and a user's
// pattern must not make one session of all.
func (f *filter) id(s string) string {
	if isUUID(s) {
		return s
	}
	return f.name(s)
}

func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

// name filters a name from a client.
func (f *filter) name(s string) string {
	s, r := f.Text(s)
	f.add(r)
	return name(s)
}

// value filters and cuts a JSON value. Keys help to recognize secrets in values.
func (f *filter) value(key string, raw json.RawMessage) any {
	if len(raw) > window {
		return fmt.Sprintf("[%d bytes]", len(raw))
	}
	v, fields := f.Member(key, decodeAny(raw))
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

// isBinary reports whether s has a NUL, or more than a tenth of its first characters
// is not text.
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

// decodeAny decodes valid JSON and keeps the digits of numbers.
func decodeAny(raw json.RawMessage) any {
	v, _ := schemas.DecodeAny(raw) // of valid JSON: cannot fail
	return v
}

func encode(v any) json.RawMessage {
	data, _ := schemas.EncodeJSON(v) // of decoded JSON: cannot fail
	return data
}
