package exchange

import (
	"context"
	"iter"
	"path"
	"strconv"
	"strings"
	"time"

	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

// Dates as people write them: "2023-11-8", "3.4.2021" (day first), "September 20, 2024", "20th Sep 2024",
// "November 2024" (its first day), and "12024-11-08" of the Human Era.
var (
	numberDate = text.Pattern(`\b1?((?:19|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})(?:\b|T)`)
	dottedDate = text.Pattern(`\b(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)\b`)
	monthFirst = text.Pattern(`(?i)\b([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b`)
	dayFirst   = text.Pattern(`(?i)\b(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -]` +
		`([a-z]{3})[a-z]*\.?,?[ -]((?:19|20)\d\d)\b`)
	monthOnly = text.Pattern(`(?i)^\W*([a-z]{3})[a-z]* ((?:19|20)\d\d)\W*$`)
	slashDate = text.Pattern(`\b(\d{1,2})/(\d{1,2})/((?:19|20)?\d\d)\b`)
	dateField = text.Pattern(`(?im)^\W*(?:date|created|updated)\W.*$`)
)

// dateIn returns the first date that a text states, zero for none. "03/04/2021" is none: nobody
// knows which is the month.
func dateIn(phrase string) time.Time {
	if when, ok := schemas.ParseTime(strings.TrimSpace(phrase)); ok {
		return when
	}
	if m := numberDate().FindStringSubmatch(phrase); m != nil {
		return dateOf(m[1], m[2], m[3])
	}
	if m := dottedDate().FindStringSubmatch(phrase); m != nil {
		return dateOf(m[3], m[2], m[1])
	}
	if m := monthFirst().FindStringSubmatch(phrase); m != nil {
		return dateOf(m[3], m[1], m[2])
	}
	if m := dayFirst().FindStringSubmatch(phrase); m != nil {
		return dateOf(m[3], m[2], m[1])
	}
	if m := monthOnly().FindStringSubmatch(phrase); m != nil {
		return dateOf(m[2], m[1], "1")
	}
	if m := slashDate().FindStringSubmatch(phrase); m != nil && len(m[3]) == 4 {
		us, other := dateOf(m[3], m[1], m[2]), dateOf(m[3], m[2], m[1])
		switch {
		case us.IsZero() || us.Equal(other):
			return other
		case other.IsZero():
			return us
		}
	}
	return time.Time{}
}

// dateIn returns the first date that a text states. Of "03/04/2021" the other records of the source say
// which is the month, if one of them has "26/03/2018" and none "03/26/2018".
func (r *reader) dateIn(phrase string) time.Time {
	m := slashDate().FindStringSubmatch(phrase)
	if when := dateIn(phrase); !when.IsZero() || m == nil {
		return when
	}
	if r.dayFirst == nil {
		count := map[bool]int{}
		for _, name := range r.files {
			data, _, _ := r.src.read(name)
			for _, field := range dateField().FindAllString(string(data), 3) {
				if m := slashDate().FindStringSubmatch(field); m != nil && (m[1] > "12" || m[2] > "12") {
					count[m[1] > "12"]++
				}
			}
		}
		r.dayFirst = count
	}
	if len(m[3]) == 2 {
		m[3] = "20" + m[3]
	}
	switch {
	case r.dayFirst[true] > 0 && r.dayFirst[false] == 0:
		return dateOf(m[3], m[2], m[1])
	case r.dayFirst[false] > 0 && r.dayFirst[true] == 0:
		return dateOf(m[3], m[1], m[2])
	}
	return time.Time{}
}

// dateOf returns a day, zero for one that no calendar has. The month is a number or a name.
func dateOf(year, month, day string) time.Time {
	if number, err := strconv.Atoi(month); err == nil {
		month = time.Month(number).String()
	}
	month = strings.ToLower(month)
	when, _ := time.Parse("2006-Jan-2", year+"-"+month[:min(3, len(month))]+"-"+strings.TrimLeft(day, "0"))
	return when
}

// span is when a file was first and last committed.
type span struct{ first, last time.Time }

// gitTime bounds how long git is asked for the dates of a source.
const gitTime = 30 * time.Second

// committed returns when git says that a file of the source was first and last changed. Git is
// asked once for all of them, and follows renames within the folder.
func (r *reader) committed(name string) (span, bool) {
	if r.spans == nil {
		r.spans = map[string]span{}
		if dir := r.src.dir.Name(); git.InRepository(dir) {
			r.readSpans(dir)
		}
	}
	s, found := r.spans[name]
	return s, found
}

// renames returns the present origins of files that had another name, as git says.
func (r *reader) renames() map[string]string {
	r.committed("")
	origins := map[string]string{}
	for former, now := range r.now {
		origins[r.src.origin(former)] = r.src.origin(now)
	}
	return origins
}

func (r *reader) readSpans(dir string) {
	prefix, err := git.Prefix(r.ctx, dir)
	if err != nil {
		return
	}
	now := map[string]string{}
	r.now = now
	use := func(c git.Commit, changes iter.Seq[git.FileChange]) error {
		when, err := time.Parse(time.RFC3339, c.Date)
		for change := range changes {
			name := strings.TrimPrefix(change.Path, prefix)
			if later := now[name]; later != "" {
				name = later
			}
			for _, from := range change.From {
				if former := strings.TrimPrefix(from, prefix); from != "" && from != change.Path {
					now[former] = name
				}
			}
			s, found := r.spans[name]
			if !found || when.After(s.last) {
				s.last = when
			}
			if !found || when.Before(s.first) {
				s.first = when
			}
			if err == nil {
				r.spans[name] = s
			}
		}
		return nil
	}
	// else the dates are the files'
	_ = git.Log(context.WithoutCancel(r.ctx), dir, gitTime, use, "-M", "--", path.Join("."))
}
