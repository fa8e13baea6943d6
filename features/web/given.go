package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"memctl/features/sessions"
	"memctl/observe"
)

const (
	// maxGiven is how many sessions the page of a memory lists, and unfolded how many of them at once.
	maxGiven = 10
	unfolded = 3
)

// givenTo says where a memory was given and what became of it, by the record of injections.
type givenTo struct {
	Sessions []givenSession // the last first, maxGiven at most
	Given    int            // how often it was given
	In       int            // so many sessions
	Uses     []tally        // how often agents opened, changed … it
	Outcomes []tally        // in how many sessions it was kept, broken …, if it was given at an act
}

// Last are the sessions that are shown at once, and Earlier those that are shown on a click.
func (g givenTo) Last() []givenSession    { return g.Sessions[:min(len(g.Sessions), unfolded)] }
func (g givenTo) Earlier() []givenSession { return g.Sessions[min(len(g.Sessions), unfolded):] }

// tally is a number of times with the end of a text's key.
type tally struct {
	What  string
	Count int
}

// givenSession is a memory in a session, or outside of one.
type givenSession struct {
	Session string // of observe.SessionKey
	ID      string // of its page, "" outside of one
	Prompt  string // its first, "" if no transcript says
	First   time.Time
	Moments []tally  // at which it was given, in the order of observe.Moments
	Uses    []string // by the agent, each once
	Outcome observe.RuleOutcome
}

// givenOf sums up what a record has of the memory at a path, oldest first. forbids reports whether it can be seen that
// a session does not keep it.
func givenOf(record []observe.Injection, path string, forbids bool) (g givenTo) {
	type counts struct {
		first         time.Time
		moments, uses map[string]int
	}
	own := injectionsOf(record, path)
	bySession, order, uses := map[string]*counts{}, []string{}, map[string]int{}
	for _, in := range own {
		c := bySession[in.Session]
		if c == nil {
			c = &counts{in.Time, map[string]int{}, map[string]int{}}
			bySession[in.Session] = c
			order = append(order, in.Session)
		}
		if at := in.GivenAt(); at != "" {
			c.moments[at]++
			g.Given++
		} else {
			c.uses[in.Use]++
			uses[in.Use]++
		}
	}
	ends, outcomes := map[string]observe.RuleOutcome{}, map[observe.RuleOutcome]int{}
	for _, r := range observe.RulesInSessions(own, func(string) bool { return forbids }) {
		if r.Path == path { // a line of the record may have others too
			ends[r.Session] = r.Outcome
			outcomes[r.Outcome]++
		}
	}
	for _, session := range slices.Backward(order) {
		c := bySession[session]
		if session != "" && len(c.moments) > 0 {
			g.In++
		}
		if len(g.Sessions) == maxGiven {
			continue
		}
		one := givenSession{Session: session, First: c.first, Moments: tallies(observe.Moments, c.moments),
			Outcome: ends[session]}
		for _, use := range tallies(observe.Uses, c.uses) {
			one.Uses = append(one.Uses, use.What)
		}
		g.Sessions = append(g.Sessions, one)
	}
	g.Uses, g.Outcomes = tallies(observe.Uses, uses), tallies(observe.RuleOutcomes, outcomes)
	return g
}

// tallies are the numbers of those names that have one, in their order.
func tallies[K ~string](names []K, counts map[K]int) (list []tally) {
	for _, name := range names {
		if n := counts[name]; n > 0 {
			list = append(list, tally{string(name), n})
		}
	}
	return list
}

// byKey returns the last sessions of a library by observe.SessionKey: none if it cannot be read.
func byKey(ctx context.Context, library *sessions.Library) map[string]sessions.Session {
	known := map[string]sessions.Session{}
	list, _ := library.List(ctx, time.Time{}, maxSessionsTold)
	for _, one := range list {
		known[observe.SessionKey(one.ID)] = one
	}
	return known
}

// name finds the first prompts of sessions in the transcripts.
func (s *Server) name(v *visit, list []givenSession) {
	if len(list) == 0 {
		return
	}
	var known map[string]sessions.Session
	if library, err := s.library(v.Context(), glanceTime); err == nil { // else they have no names
		defer library.Close()
		known = byKey(v.Context(), library)
	}
	for i, one := range list {
		past := known[one.Session]
		list[i].ID, list[i].Prompt = cmp.Or(past.ID, one.Session), past.FirstPrompt
	}
}
