package schemas

import (
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
