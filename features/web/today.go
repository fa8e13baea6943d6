package web

import (
	"slices"
	"time"
)

const (
	// shownDays is how far back the start page goes.
	shownDays = 30
	// maxSessionsTold and maxChanges are how many sessions, and memories changed by hand, of those days it reads.
	maxSessionsTold, maxChanges = 500, 500
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
	if library, err := s.library(v.Context(), glanceTime); err == nil { // else the record alone tells
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
	at, found := slices.BinarySearch(days, p.Day)
	if found && at > 0 {
		p.Before = days[at-1]
	}
	if found && at < len(days)-1 {
		p.After = days[at+1]
	}
	p.Stories = c.stories(p.Day)
	p.Says = sentence(v.lang, p.Stories, c.figures[p.Day])
	p.Week = weekOf(now, c.figures, days)
	return p, nil
}

func midnight(t time.Time) time.Time {
	year, month, day := t.Local().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.Local)
}

func dayOf(t time.Time) string { return t.Local().Format(time.DateOnly) }
