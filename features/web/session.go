package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"memctl/clients"
	"memctl/db"
	"memctl/features/sessions"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/triage"
)

const (
	// maxRuns is how many runs of tools the page of a session without a transcript has.
	maxRuns = 500
	// maxFinds is how many sentences say why a session was asked, the last ones.
	maxFinds = 40
	// turnsBefore is how many turns stand before the one that an address names.
	turnsBefore = 2
	// afterEnd is how long after a session's end what happens still counts as a part of it.
	afterEnd = time.Minute
)

// sessionPage is a session as a conversation.
type sessionPage struct {
	sessions.Session
	Client         string // for people
	Said           bool   // there is a transcript
	Turns          []turn
	Earlier, Later int // the first turns of the pages beside this one, 0 for none
	Runs, Failures int
	More           bool            // runs are left out
	Failed         bool            // only what failed is shown
	Asked          bool            // the agent was asked what is worth saving
	HasWhy         bool            // it can be said why
	Why            *clients.Scores // what the session had that is worth asking about; nil until someone asks
}

// Finds are the sentences that made the session worth a question.
func (p sessionPage) Finds() (list []triage.Find) {
	for _, t := range p.Why.Turns {
		for _, f := range t.Finds {
			if len(f.Signs) > 0 {
				list = append(list, f)
			}
		}
	}
	return list[max(0, len(list)-maxFinds):]
}

const (
	// glanceTime bounds how long a page that shows sessions beside other things waits for new transcripts to be
	// read, and readingTime how long the pages of sessions do. The next visit goes on where they stopped.
	glanceTime  = 300 * time.Millisecond
	readingTime = 5 * time.Second
)

// library opens the past sessions of the project.
func (s *Server) library(ctx context.Context, limit time.Duration) (*sessions.Library, error) {
	return sessions.OpenFor(ctx, sessions.Scope{Folder: s.Root.Project, UserModel: s.UserModel}, limit)
}

// past runs fn on the past sessions of the project.
func (s *Server) past(ctx context.Context, fn func(*sessions.Library) error) error {
	l, err := s.library(ctx, readingTime)
	if err != nil {
		return err
	}
	defer l.Close()
	return fn(l)
}

func (s *Server) session(v *visit) (answer, error) {
	p := sessionPage{Failed: v.URL.Query().Get("failed") != ""}
	p.ID = v.PathValue("id")
	from, _ := strconv.Atoi(v.URL.Query().Get("from")) // that of a page, or a little before the turn that is looked for
	turn, _ := strconv.Atoi(v.URL.Query().Get("turn"))
	from = max(1, cmp.Or(from, turn-turnsBefore))
	c := newChronicle(s, v, time.Now())
	c.since, c.only = time.Time{}, p.ID
	var passages []db.Passage
	if library, err := s.library(v.Context(), readingTime); err == nil { // else the rest is shown
		defer library.Close()
		c.library = library
		// The turns beside the page bound what happened in its own.
		talk, _ := library.Conversation(v.Context(), p.ID, from-1, from+maxTurns)
		if talk.ID != "" {
			p.Session, p.Said, passages = talk.Session, true, talk.Passages
			c.only = observe.SessionKey(p.ID)
		}
	}
	runs, err := s.runs(v.Context(), retrieve.ObservationFilter{Session: c.only})
	if err == nil {
		err = c.read()
	}
	if err != nil {
		return answer{}, err
	}
	events := c.ofSession()
	if len(runs)+len(events) == 0 && !p.Said {
		return answer{}, errNoPage
	}
	if p.HasWhy = p.Said && p.Session.Client == clients.Claude.Name; p.HasWhy && v.URL.Query().Get("why") != "" {
		report, _, err := clients.ScoreSession(p.ID, v.config) // which takes seconds for a long one
		if err != nil {
			return answer{}, err
		}
		p.Why = &report
	}
	p.Client = clientTitle(p.Session.Client)
	p.tell(from, passages, events, toolRuns(runs))
	return answer{page: "session", title: cmp.Or(p.FirstPrompt, v.t("session.title", p.ID)), data: p}, nil
}

// tell fills in the turns of a page.
func (p *sessionPage) tell(from int, passages []db.Passage, events []event, runs []toolRun) {
	p.Runs, p.Failures = len(runs), part{Runs: runs}.Failures()
	p.Asked = slices.ContainsFunc(events, func(e event) bool { return e.What == asked })
	if !p.Said {
		var times []time.Time
		for _, e := range events {
			times = append(times, e.At)
		}
		for _, r := range runs {
			times = append(times, r.At)
		}
		slices.SortFunc(times, time.Time.Compare)
		p.Started, p.Ended = times[0].Format(time.RFC3339), times[len(times)-1].Format(time.RFC3339)
	}
	if p.Failed {
		events = nil
		runs = slices.DeleteFunc(runs, func(r toolRun) bool { return !r.Failed && r.Fix == nil })
	}
	if !p.Said {
		p.More = len(runs) > maxRuns
		runs = runs[max(0, len(runs)-maxRuns):]
	}
	p.Later = fitting(passages, from)
	if from > 1 {
		p.Earlier = max(1, from-maxTurns)
	}
	for _, t := range merge(passages, events, runs) {
		elsewhere := t.Turn < from && (t.Turn > 0 || from > 1) || p.Later > 0 && t.Turn >= p.Later
		ran := false
		for _, parts := range [][]part{t.Before, t.After} {
			for i, one := range parts {
				ran = ran || len(one.Runs) > 0
				parts[i].Open = p.Failed || !p.Said
				parts[i].Why = p.HasWhy && one.Line != nil && one.Line.What == asked
			}
		}
		if !elsewhere && !t.Empty() && (ran || !p.Failed) {
			p.Turns = append(p.Turns, t)
		}
	}
}
