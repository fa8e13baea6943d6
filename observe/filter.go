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

const (
	// maxLines and maxText limit what is kept of a text, in lines and code points.
	maxLines = 100
	maxText  = 10_000
	// maxFetched is how many code points of a web page are kept.
	maxFetched = 500
	// maxField limits each string of a tool's input, in code points.
	maxField = 2000
	// maxName limits a name from a client, of a session, tool or prompt.
	maxName = 200
	// window is how many bytes of a text are examined. The end of a longer one is
	// not, so no part of it is kept.
	window = 256 << 10
)

const truncated = "...[TRUNCATED]..."

// limited keeps the beginning and the end of a text, most code points in all.
func limited(s string, most int) string {
	lines := strings.SplitAfter(s, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	if n := len(lines); n > maxLines {
		head, tail := strings.Join(lines[:maxLines/2], ""), strings.Join(lines[n-maxLines/2:], "")
		if fits(head+tail, most-len(truncated)-1) {
			return head + truncated + "\n" + tail
		}
		// The lines are long: keep the outer part of each half.
		return around(head, tail, most)
	}
	if fits(s, most) {
		return s
	}
	return around(s, s, most)
}

func fits(s string, most int) bool {
	return len(s) <= most || utf8.RuneCountInString(s) <= most
}

// around keeps the beginning of one text and the end of another.
func around(head, tail string, most int) string {
	each := (most - len(truncated) - 2) / 2
	return text.Truncate(head, each) + "\n" + truncated + "\n" + text.Last(tail, each)
}

// head keeps only the beginning.
func head(s string, most int) string {
	s = text.Truncate(s, most-len(truncated)-1)
	lines := strings.SplitAfterN(s, "\n", maxLines+1)
	if len(lines) > maxLines {
		s = strings.Join(lines[:maxLines], "")
	}
	return strings.TrimSuffix(s, "\n") + "\n" + truncated
}

// clip cuts a text to the window, after a whole line if possible: a secret must not
// be cut beyond recognition. It reports whether there was more.
func clip(s string) (string, bool) {
	if len(s) <= window {
		return s, false
	}
	s = s[:window]
	if line := strings.LastIndexByte(s, '\n'); line > window/2 {
		return s[:line+1], true
	}
	return s[:strings.LastIndexFunc(s, func(r rune) bool { return r != utf8.RuneError })+1], true
}

// countLines counts as an editor does: the last line may lack a line feed.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
