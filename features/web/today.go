package web

import (
	"context"
	"slices"
	"time"

	"memctl/features/sessions"
)

const (
	// shownDays is how far back the start page goes.
	shownDays = 30
	// maxSessionsTold and maxChanges are how many sessions, and memories changed by hand, of those days it reads.
	maxSessionsTold, maxChanges = 500, 500
	// readingTime bounds how long the page waits for new transcripts to be indexed. The next visit goes on
	// where it stopped.
	readingTime = 300 * time.Millisecond
)

// todayPage is the start page: the story of a day, and what needs a person.
type todayPage struct {
	Day           string // YYYY-MM-DD in the person's time zone
	IsToday       bool
	Before, After string // days on which something happened too, "" for none
	Says          string // what memory did that day, with code between backquotes; "" for nothing
	Stories       []story
	Week          weekPart
	Needs         *needsList // nil until someone has looked
}

func (s *Server) today(v *visit) (answer, error) {
	p, err := s.happened(v)
	if err == nil {
		p.Needs = s.needs.snapshot()
	}
	return answer{page: "today", title: v.t("nav.today"), data: p}, err
}

// happened fills in the left side of the page: the chosen day, or the last one on which something
// happened.
func (s *Server) happened(v *visit) (todayPage, error) {
	now := time.Now()
	c := newChronicle(s, v, now)
	ctx, cancel := context.WithTimeout(v.Context(), readingTime)
	defer cancel()
	library, err := sessions.Open(ctx, sessions.Scope{Folder: s.Root.Project, UserModel: s.UserModel}, nil)
	if err == nil {
		defer library.Close()
		c.library = library
	}
	if err := c.read(); err != nil {
		return todayPage{}, err
	}
	days := c.eventDays()
	p := todayPage{Day: v.URL.Query().Get("day")}
	if !slices.Contains(days, p.Day) {
		p.Day = dayOf(now)
		if len(days) > 0 {
			p.Day = days[len(days)-1]
		}
	}
	p.IsToday = p.Day == dayOf(now)
	if at, found := slices.BinarySearch(days, p.Day); found {
		p.Before, p.After = neighbour(days, at-1), neighbour(days, at+1)
	}
	p.Stories = c.stories(p.Day)
	p.Says = sentence(v.lang, p.Stories, c.figures[p.Day])
	p.Week = weekOf(now, c.figures, days)
	return p, nil
}

func neighbour(days []string, at int) string {
	if at < 0 || at >= len(days) {
		return ""
	}
	return days[at]
}

func midnight(t time.Time) time.Time {
	year, month, day := t.Local().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.Local)
}

func dayOf(t time.Time) string { return t.Local().Format(time.DateOnly) }

// days is dayOf for many times, of which neighbours are mostly of one day.
type days struct {
	from, until time.Time
	day         string
}

func (d *days) of(t time.Time) string {
	if t.Before(d.from) || !t.Before(d.until) {
		d.from = midnight(t)
		d.until, d.day = d.from.AddDate(0, 0, 1), dayOf(t)
	}
	return d.day
}
