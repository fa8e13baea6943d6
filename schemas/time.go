package schemas

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/text"
)

// timeLayouts are the timestamp formats that people and older tools wrote, RFC 3339
// first. A fraction of a second is accepted after any seconds. A time without an
// offset is UTC.
var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02",
}

// ParseTime reads a timestamp leniently and reports whether s is one.
func ParseTime(s string) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false // each layout would make an error
	}
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// ParseSince reads a date, or how long ago something was: 7d or 12h.
func ParseSince(s string, now time.Time) (time.Time, bool) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		return now.AddDate(0, 0, -n), err == nil && n >= 0 && n < 100_000
	}
	if age, err := time.ParseDuration(s); err == nil && age >= 0 {
		return now.Add(-age), true
	}
	return ParseTime(s)
}

// AsOfDate reads the time of a question about the past: a time, or the last second of a day, a month or a year in UTC.
func AsOfDate(date string) (time.Time, bool) {
	end, ok := EndOf(date)
	if len(strings.TrimSpace(date)) <= len(time.DateOnly) {
		end = end.Add(-time.Second)
	}
	return end, ok
}

// FormatTime renders a time as memctl writes it: RFC 3339 in UTC, to the second.
func FormatTime(t time.Time) string {
	return t.UTC().Format(time.RFC3339)
}

// dateTime is the grammar of RFC 3339 (section 5.6). time.Parse is more lenient: it
// accepts an hour of one digit, a comma before the fraction and an offset of a day.
var dateTime = text.Pattern(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// isDateTime reports whether s is a date-time of RFC 3339, as the schemas require:
// letters in any case, a leap second only at the end of a UTC day.
func isDateTime(s string) bool {
	s = strings.ToUpper(s)
	if !dateTime().MatchString(s) {
		return false
	}
	leap := s[17:19] == "60"
	if leap {
		s = s[:17] + "59" + s[19:]
	}
	t, err := time.Parse(time.RFC3339, s)
	hour, minute, _ := t.UTC().Clock()
	return err == nil && (!leap || hour == 23 && minute == 59)
}

// Recorded is the record of git's log on a memory's file. It applies where git.history is true: there an
// update leaves updated_at, times_updated and changes as they are.
type Recorded struct {
	Blob    string    // the id of what the last commit has of the file, "" if it has none
	Commit  string    // that changed the file last, "" if none did since it was added
	Changed time.Time // when the author of Commit did so
	Times   int       // how many commits changed the file since it was added
}

// History is the record of git's log on the files of a root, by their paths below it. It is nil where the
// files count alone.
type History map[string]Recorded

// Date gives a memory at a path the time and the number of its changes, and reports whether they are
// others than its file has. Whatever shows a memory's times has them from here.
func (h History) Date(m *Memory, path string, file []byte, modified time.Time) bool {
	updated, times := m.UpdatedAt, m.TimesUpdated
	if h != nil {
		m.recount(h[path], file, modified)
	}
	return m.UpdatedAt != updated || m.TimesUpdated != times
}

// recount gives a memory the time and the number of its changes: what its file says, or what git
// has recorded if that is later or more. A file that is not as git has it was changed once more, when
// it was written.
func (m *Memory) recount(r Recorded, file []byte, modified time.Time) {
	when, times := r.Changed, r.Times
	if !isBlob(r.Blob, file) {
		when = modified
		if r.Blob != "" {
			times++
		}
	}
	if updated, ok := ParseTime(m.UpdatedAt); !when.IsZero() && (!ok || when.After(updated)) {
		m.UpdatedAt = FormatTime(when)
	}
	m.TimesUpdated = max(m.TimesUpdated, times)
}

// isBlob reports whether git stores a file under an id. A checkout may have turned its line ends
// into CRLF.
func isBlob(id string, file []byte) bool {
	return id != "" && (id == blobID(file, len(id)) ||
		id == blobID(bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n")), len(id)))
}

func blobID(file []byte, digits int) string {
	data := append(fmt.Appendf(nil, "blob %d\x00", len(file)), file...)
	if digits == hex.EncodedLen(sha256.Size) {
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprintf("%x", sha1.Sum(data))
}
