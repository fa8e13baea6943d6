package web

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/features/sessions"
	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

const (
	// shownDays is how far back the start page goes.
	shownDays = 7
	// maxToday is how many sessions, and changed memories, of those days it reads.
	maxToday = 100
	// readingTime bounds how long the page waits for new transcripts to be indexed. The next visit goes on
	// where it stopped.
	readingTime = 300 * time.Millisecond
)

// todayPage is the start page: what happened on a day, and what needs a person.
type todayPage struct {
	Day           string // YYYY-MM-DD in the person's time zone
	IsToday       bool
	Before, After string // days on which something happened too, "" for none
	Groups        []happening
	Needs         *needsList // nil until someone has looked
}

// happening is a session of a day, or what happened outside of one.
type happening struct {
	Session string // "" outside of one
	Prompt  string // the first
	Client  string
	Moments []moment // the first first
}

// moment is something that happened.
type moment struct {
	At       time.Time
	What     string // the end of a text's key
	Prompt   string // that received something
	Memories []memoryLink
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
	c := chronicle{Server: s, v: v, places: s.places(), since: midnight(now).AddDate(0, 0, 1-shownDays)}
	ctx, cancel := context.WithTimeout(v.Context(), readingTime)
	defer cancel()
	library, err := sessions.Open(ctx, sessions.Scope{Folder: s.Root.Project, UserModel: s.UserModel}, nil)
	if err == nil {
		defer library.Close()
		c.library = library
	}
	c.readSessions()
	c.readRecord()
	if err := c.readMemories(); err != nil {
		return todayPage{}, err
	}
	c.readQuestions()
	p := todayPage{Day: v.URL.Query().Get("day")}
	days := map[string]bool{}
	for _, m := range c.moments {
		days[dayOf(m.At)] = true
	}
	sorted := slices.Sorted(maps.Keys(days))
	if p.Day == "" || !days[p.Day] {
		p.Day = dayOf(now)
		if len(sorted) > 0 {
			p.Day = sorted[len(sorted)-1]
		}
	}
	p.IsToday = p.Day == dayOf(now)
	if at, found := slices.BinarySearch(sorted, p.Day); found {
		p.Before, p.After = neighbour(sorted, at-1), neighbour(sorted, at+1)
	}
	p.Groups = c.groups(p.Day)
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

// chronicle gathers what happened since a time.
type chronicle struct {
	*Server
	v        *visit
	places   []place
	since    time.Time
	library  *sessions.Library                // nil if it cannot be had
	sessions map[string]sessions.Session      // by observe.SessionKey
	talks    map[string]sessions.Conversation // likewise, of those that were asked for
	moments  []chronicled
	used     map[string]bool // ShownPath of memories that the record says were saved or changed
}

// chronicled is a moment with the key of its session.
type chronicled struct {
	session string
	moment
}

// add keeps a moment that is not too old.
func (c *chronicle) add(session string, m moment) {
	if !m.At.Before(c.since) {
		c.moments = append(c.moments, chronicled{session, m})
	}
}

// readSessions lists the past sessions. Without them the record of injections still tells.
func (c *chronicle) readSessions() {
	c.sessions, c.talks = map[string]sessions.Session{}, map[string]sessions.Conversation{}
	if c.library == nil {
		return
	}
	list, _ := c.library.List(c.v.Context(), time.Time{}, maxToday) // else there are none
	for _, one := range list {
		if ended, ok := schemas.ParseTime(one.Ended); ok {
			key := observe.SessionKey(one.ID)
			c.sessions[key] = one
			c.add(key, moment{At: ended, What: "ended"})
		}
	}
}

// readRecord reads what was given, and what agents did with it.
func (c *chronicle) readRecord() {
	c.used = map[string]bool{}
	for _, at := range c.places {
		record, _ := observe.ReadRecord(at.Root) // else nothing is known
		opened := map[string]bool{}
		for _, in := range record {
			if in.Use == observe.Opened {
				for _, path := range in.Memories {
					opened[in.Session+" "+path] = true
				}
			}
		}
		given := map[string]bool{}
		for _, in := range record {
			m := moment{At: in.Time, What: cmp.Or(in.Use, in.GivenAt())}
			for _, path := range in.Memories {
				key := in.Session + " " + path
				if in.Use == observe.Opened && given[key] {
					continue // it stands where it was given
				}
				given[key] = given[key] || in.Use == ""
				to := link(at, path)
				to.Opened = in.Use == "" && opened[key]
				m.Memories = append(m.Memories, to)
				c.used[at.Root.ShownPath(path)] = c.used[at.Root.ShownPath(path)] || in.Use == observe.Saved ||
					in.Use == observe.Changed
			}
			if len(m.Memories) > 0 {
				c.add(in.Session, m)
			}
		}
	}
}

// promptBefore returns the last prompt of a session that was typed before a time.
func (c *chronicle) promptBefore(session string, t time.Time) (prompt string) {
	one, known := c.sessions[session]
	if !known {
		return ""
	}
	if _, read := c.talks[session]; !read {
		c.talks[session], _ = c.library.Conversation(c.v.Context(), one.ID, 0, 0) // else its prompts are unknown
	}
	for _, p := range c.talks[session].Passages {
		// the record has whole seconds
		if at, ok := schemas.ParseTime(p.At); ok && !at.After(t.Add(time.Second)) {
			prompt = text.Truncate(p.Prompt, maxPrompt)
		}
	}
	return prompt
}

// readMemories finds the memories that people saved or changed, by hand or on the command line.
func (c *chronicle) readMemories() error {
	return c.ask(c.v.Context(), rootsOf(c.places), func(sources retrieve.Sources) error {
		items, err := sources.List(c.v.Context(), retrieve.Filter{Since: c.since, Limit: maxToday},
			retrieve.SortNames[0])
		for _, item := range items {
			updated, ok := schemas.ParseTime(item.UpdatedAt)
			if !ok || c.used[item.Root.ShownPath(item.Path)] || item.Root.Scope == files.NotesScope {
				continue
			}
			what := observe.Changed
			switch {
			case item.Status != schemas.Active:
				what = observe.Retired
			case item.CreatedAt == item.UpdatedAt:
				what = observe.Saved
			}
			c.add("", moment{At: updated, What: "by-hand." + what,
				Memories: []memoryLink{link(placeOf(c.places, item.Root), item.Path)}})
		}
		return err
	})
}

// readQuestions finds the stops at which an agent was asked what is worth saving.
func (c *chronicle) readQuestions() {
	entries, _ := observe.ReadLog(c.Root)
	for _, e := range entries {
		if e.Hook == "stop" && e.Outcome == observe.Blocked {
			c.add("", moment{At: e.Time, What: "asked"})
		}
	}
}

// groups returns what happened on a day by session, the latest first.
func (c *chronicle) groups(day string) (list []happening) {
	slices.SortStableFunc(c.moments, func(a, b chronicled) int { return a.At.Compare(b.At) })
	at := map[string]int{}
	for _, m := range c.moments {
		if dayOf(m.At) != day {
			continue
		}
		i, known := at[m.session]
		if !known {
			i = len(list)
			at[m.session] = i
			one := c.sessions[m.session]
			list = append(list, happening{Session: cmp.Or(one.ID, m.session), Prompt: one.FirstPrompt,
				Client: one.Client})
		}
		if m.What == observe.AtPrompt {
			m.Prompt = c.promptBefore(m.session, m.At)
		}
		list[i].Moments = append(list[i].Moments, m.moment)
	}
	slices.SortStableFunc(list, func(a, b happening) int { return b.last().Compare(a.last()) })
	return list
}

func (h happening) last() time.Time { return h.Moments[len(h.Moments)-1].At }

// errAnswered is the error of an answer to something that no longer stands on the page.
var errAnswered = errors.New("it was answered already, or the memory has changed since: look again")

// findings looks for what needs a person, which takes a moment.
func (s *Server) lookAgain(v *visit) (answer, error) {
	if s.needs.snapshot() == nil || v.URL.Query().Has("again") {
		list, err := s.lookForNeeds(v.Context())
		if err != nil {
			return answer{}, err
		}
		s.needs.replace(list)
	}
	return s.today(v)
}

// settle takes an answer to something on the start page, and goes on to the next.
func (s *Server) settle(v *visit) (answer, error) {
	n, next, known := s.needs.at(v.PathValue("need"))
	if !known {
		return answer{}, errAnswered
	}
	reply := v.PathValue("answer")
	if reply == "skip" {
		s.needs.settle(n.Key)
		return answer{goTo: "/today" + next}, nil
	}
	a, err := n.answered(v, s, reply)
	if err == nil {
		s.needs.settle(n.Key)
		a.goTo = strings.Replace(a.goTo, "?", "?day="+v.PostFormValue("day")+"&", 1) + next
	}
	return a, err
}

// lookForNeeds finds what needs a person, the worst first; lines wait for a few days only.
func (s *Server) lookForNeeds(ctx context.Context) ([]need, error) {
	failed, warned, err := s.checkNeeds(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.fileNeeds(ctx)
	if err != nil {
		return nil, err
	}
	reviewed, err := s.reviewNeeds(ctx)
	return slices.Concat(failed, files, s.waitingNeeds(), reviewed, warned), err
}
