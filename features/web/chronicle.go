package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"memctl/clients"
	"memctl/features/sessions"
	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
)

// chronicle gathers what happened since a time.
type chronicle struct {
	*Server
	v        *visit
	places   []place
	since    time.Time
	only     string                      // the session that is told, by observe.SessionKey; "" for all
	library  *sessions.Library           // nil if it cannot be had
	sessions map[string]sessions.Session // by observe.SessionKey
	ran      []sessionTime               // when each of them ran
	events   []recorded
	figures  map[string]figures // by day
	used     map[string]bool    // ShownPath of memories that the record says were saved or changed
	known    map[string]known   // by ShownPath
}

// recorded is an event whose memories have not been read.
type recorded struct {
	event
	at    place
	paths []string
	rules []observe.RuleInSession
}

// known is a memory as far as the page needs it.
type known struct {
	memoryLink
	isRule, showsBreach bool
	command             string // that it forbids, "" for none or several
}

func newChronicle(s *Server, v *visit, now time.Time) *chronicle {
	return &chronicle{Server: s, v: v, places: s.places(), since: midnight(now).AddDate(0, 0, 1-shownDays),
		figures: map[string]figures{}, used: map[string]bool{},
		known: map[string]known{}}
}

func (c *chronicle) read() (err error) {
	c.readSessions()
	for _, at := range c.places {
		c.readRecord(at)
	}
	if c.only == "" {
		err = c.readMemories()
	}
	c.readQuestions()
	slices.SortStableFunc(c.events, func(a, b recorded) int { return a.At.Compare(b.At) })
	return err
}

// add keeps an event that is not too old.
func (c *chronicle) add(e recorded) {
	if !e.At.Before(c.since) {
		c.events = append(c.events, e)
	}
}

// count adds to a figure of a day.
func (c *chronicle) count(at time.Time, figure, n int) {
	if at.Before(c.since) {
		return
	}
	f := c.figures[dayOf(at)]
	f[figure] += n
	c.figures[dayOf(at)] = f
}

// eventDays returns the days on which something happened, the first first.
func (c *chronicle) eventDays() []string {
	days := map[string]bool{}
	for _, e := range c.events {
		days[dayOf(e.At)] = true
	}
	return slices.Sorted(maps.Keys(days))
}

// memory returns what the page needs of a memory.
func (c *chronicle) memory(at place, path string) known {
	key := at.Root.ShownPath(path)
	k, read := c.known[key]
	if read {
		return k
	}
	k.memoryLink = memoryLink{Title: path, Address: at.address(path)}
	if data, err := at.ReadFile(path); err == nil {
		if m, err := schemas.Decode(data); err == nil {
			k.Title = m.Title
			k.isRule = m.Category == schemas.Constraint || m.Category == schemas.Preference
			k.showsBreach, k.command = m.ShowsBreach(), oneForbidden(&m)
		}
	}
	c.known[key] = k
	return k
}

// forbidden returns the commands that a memory forbids, each once.
func forbidden(m *schemas.Memory) []string {
	return slices.Compact(slices.Sorted(slices.Values(m.Forbidden())))
}

// oneForbidden returns the one command that a memory forbids, "" for none or several.
func oneForbidden(m *schemas.Memory) string {
	if check := m.Check(); check != nil && check.ForbiddenCommand != "" {
		return check.ForbiddenCommand
	}
	if list := forbidden(m); len(list) == 1 {
		return list[0]
	}
	return ""
}

// readSessions lists the past sessions. Without them the record of injections still tells.
func (c *chronicle) readSessions() {
	if c.library == nil {
		return
	}
	c.sessions = byKey(c.v.Context(), c.library)
	for key, one := range c.sessions {
		from, started := schemas.ParseTime(one.Started)
		until, hasEnded := schemas.ParseTime(one.Ended)
		if started {
			c.ran = append(c.ran, sessionTime{key, from, until.Add(afterEnd)})
		}
		if hasEnded {
			c.add(recorded{event: event{At: until, Session: key, What: ended}})
		}
	}
}

// sessionTime is when a session ran, with a moment after it.
type sessionTime struct {
	key         string
	from, until time.Time
}

// sessionRule names a rule of a session.
type sessionRule struct{ session, path string }

// readRecord reads what was given, and what agents did with it.
func (c *chronicle) readRecord(at place) {
	record, _ := observe.ReadVerdicts(at.Root) // else nothing is known
	record = slices.DeleteFunc(record, func(in observe.Injection) bool {
		return c.only != "" && in.Session != c.only && in.Session != ""
	})
	rules := map[sessionRule]observe.RuleInSession{}
	showsBreach := func(path string) bool { return c.memory(at, path).showsBreach }
	for _, r := range observe.RulesInSessions(record, showsBreach) {
		if k := c.memory(at, r.Path); k.isRule || k.showsBreach {
			rules[sessionRule{r.Session, r.Path}] = r
			if r.Outcome == observe.RuleKept || r.Outcome == observe.RuleStopped {
				c.count(r.Time, kept, 1)
			}
		}
	}
	for _, in := range record {
		e := recorded{event: event{At: in.Time, Session: in.Session, What: cmp.Or(in.Use, in.GivenAt())}, at: at}
		for _, path := range in.Memories {
			rule, isRule := rules[sessionRule{in.Session, path}]
			switch {
			case isRule && (in.IsVerdict() || e.What == observe.AtTool):
				e.rules = append(e.rules, rule)
			case !in.IsVerdict():
				e.paths = append(e.paths, path)
			}
			c.note(at, in, path)
		}
		if len(e.paths)+len(e.rules) > 0 {
			c.add(e)
		}
	}
}

// note counts a use of a memory.
func (c *chronicle) note(at place, in observe.Injection, path string) {
	switch {
	case in.GivenAt() == observe.AtPrompt, in.GivenAt() == observe.AtTool:
		c.count(in.Time, given, 1)
	case in.Use == observe.Opened:
		c.count(in.Time, opened, 1)
	case in.Use == observe.Saved:
		c.count(in.Time, saved, 1)
	}
	if in.Use == observe.Saved || in.Use == observe.Changed {
		c.used[at.Root.ShownPath(path)] = true
	}
}

// readMemories finds the memories that people saved or changed, by hand or on the command line, and those that git
// brought from others.
func (c *chronicle) readMemories() error {
	people := c.team(c.v.Context(), c.places)
	var items []retrieve.ListEntry
	err := c.ask(c.v.Context(), rootsOf(c.places), func(sources retrieve.Sources) (err error) {
		items, err = sources.List(c.v.Context(), retrieve.Filter{Since: c.since, Limit: maxChanges},
			retrieve.SortNames[0])
		return err
	})
	for _, item := range items {
		e := recorded{at: placeOf(c.places, item.Root), paths: []string{item.Path}}
		by := people.saved(item.Root, item.Path, "")
		isOwn := by.Name == "" || by.IsOwn
		if added, ok := schemas.ParseTime(by.Date); ok && !isOwn {
			e.event = event{At: added, What: came, By: by.Name}
			c.add(e)
		}
		updated, ok := schemas.ParseTime(item.UpdatedAt)
		if !ok || c.used[item.Root.ShownPath(item.Path)] || item.Root.Scope == files.NotesScope {
			continue
		}
		e.event = event{At: updated, What: byHand + observe.Changed}
		switch {
		case item.Status != schemas.Active:
			e.What = byHand + observe.Retired
		case item.CreatedAt == item.UpdatedAt:
			e.What = byHand + observe.Saved
			c.count(updated, saved, 1)
			if !isOwn {
				continue
			}
		}
		c.add(e)
	}
	return err
}

// readQuestions finds the stops at which an agent was asked what is worth saving. The log names no session:
// stories finds it.
func (c *chronicle) readQuestions() {
	entries, _ := observe.ReadLog(c.Root)
	for _, e := range entries {
		if e.Hook == "stop" && e.Outcome == observe.Blocked {
			c.add(recorded{event: event{At: e.Time, What: asked}})
		}
	}
}

// runningAt returns the key of the only session that ran at a time, "" if there were none or several.
func (c *chronicle) runningAt(t time.Time) (session string) {
	for _, ran := range c.ran {
		switch {
		case t.Before(ran.from), t.After(ran.until):
		case session != "":
			return ""
		default:
			session = ran.key
		}
	}
	return session
}

// clientTitle returns the name of a client for people.
func clientTitle(name string) string {
	if client := clients.Named(name); client != nil {
		return client.Title
	}
	return name
}

// stories tells a day by session, the latest first; what happened outside of one comes last.
func (c *chronicle) stories(day string) (list []story) {
	of, ends := map[string][]event{}, map[string]time.Time{}
	for _, e := range c.events {
		if dayOf(e.At) == day {
			if e.What == asked {
				e.Session = c.runningAt(e.At)
			}
			of[e.Session] = append(of[e.Session], c.withMemories(e))
			ends[e.Session] = e.At
		}
	}
	from, _ := time.ParseInLocation(time.DateOnly, day, time.Local) // dayOf made it
	for key, events := range of {
		one := c.sessions[key]
		s := story{Session: cmp.Or(one.ID, key), Prompt: one.FirstPrompt, Client: clientTitle(one.Client),
			Until: ends[key]}
		if one.ID != "" {
			talk, _ := c.library.Conversation(c.v.Context(), one.ID, 0, 0) // else its prompts are unknown
			events = withPrompts(events, talk.Passages, from, from.AddDate(0, 0, 1))
		}
		for i := range events {
			events[i].Session = s.Session
		}
		s.From, s.Lines = events[0].At, tell(events)
		for i := range s.Lines {
			s.Lines[i].Key = fmt.Sprintf("%s-%d", s.Session, i)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b story) int {
		if (a.Session == "") != (b.Session == "") {
			return len(b.Session) - len(a.Session)
		}
		return cmp.Or(b.Until.Compare(a.Until), cmp.Compare(a.Session, b.Session))
	})
	return list
}

// ofSession tells what happened in the only session, the first first. What the record has without a session belongs to
// the one that ran.
func (c *chronicle) ofSession() (events []event) {
	for _, e := range c.events {
		if e.Session == "" {
			e.Session = c.runningAt(e.At)
		}
		if e.Session == c.only && e.What != ended {
			events = append(events, c.withMemories(e))
		}
	}
	return events
}

// withMemories returns an event with what the page says of its memories.
func (c *chronicle) withMemories(e recorded) event {
	for _, path := range e.paths {
		e.Memories = append(e.Memories, c.memory(e.at, path).memoryLink)
	}
	for _, r := range e.rules {
		k := c.memory(e.at, r.Path)
		e.Rules = append(e.Rules, ruleEnd{k.memoryLink, r, k.command})
	}
	return e.event
}
