package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"memctl/observe"
	"memctl/schemas"
	"memctl/sessions"
	"memctl/store"
	"memctl/writer"
)

const (
	// maxTurns is how many turns of a session one page shows.
	maxTurns = 200
	// afterEnd is how long after a session's end a memory still counts as saved from it.
	afterEnd = time.Minute
)

// conversation is a past session: what was said, given and saved.
type conversation struct {
	sessions.Conversation
	From  int // the first turn of the page
	Next  int // that of the next page, 0 for none
	Given []memoryLink
	Saved []memoryLink
}

// memoryLink leads to a memory that the record of injections names.
type memoryLink struct {
	Title, Address string
	Opened         bool // after it was given
}

// link leads to a memory by its title, or by its path if it cannot be read.
func link(at place, path string) memoryLink {
	m := schemas.Memory{Title: path}
	if data, err := at.ReadFile(path); err == nil {
		if read, err := schemas.Decode(data); err == nil {
			m = read
		}
	}
	return memoryLink{Title: m.Title, Address: at.address(path)}
}

// past runs fn on the past sessions of the project. Without them the page shows the rest.
func (s *Server) past(ctx context.Context, fn func(*sessions.Library) error) error {
	l, err := sessions.Open(ctx, sessions.Scope{Folder: s.Root.Project}, nil)
	if err != nil {
		return err
	}
	defer l.Close()
	return fn(l)
}

// addPast adds the past sessions to the list, those that some words find if there are words.
func (s *Server) addPast(v *visit, p *sessionsPage) {
	p.Words = v.URL.Query().Get("q")
	err := s.past(v.Context(), func(l *sessions.Library) (err error) {
		if p.Words != "" {
			p.Found, err = l.Search(v.Context(), p.Words, maxSessions)
			return err
		}
		p.Past, err = l.List(v.Context(), time.Time{}, maxSessions)
		return err
	})
	if err != nil && !errors.Is(err, sessions.ErrOff) {
		p.PastProblem = err.Error()
	}
}

// conversation returns a session of a client, nil if there is none.
func (s *Server) conversation(v *visit, id string) *conversation {
	c := conversation{From: 1}
	if n, err := strconv.Atoi(v.URL.Query().Get("turn")); err == nil && n > 1 {
		c.From = n
	}
	err := s.past(v.Context(), func(l *sessions.Library) (err error) {
		c.Conversation, err = l.Conversation(v.Context(), id, c.From, c.From+maxTurns-1)
		return err
	})
	if err != nil {
		return nil
	}
	if last := c.From + maxTurns; last <= c.Turns {
		c.Next = last
	}
	c.Given, c.Saved = s.recorded(c.Session)
	return &c
}

// recorded returns the memories that were given to a session, and those that were saved while it ran: the
// record does not say which session saved one.
func (s *Server) recorded(session sessions.Session) (given, saved []memoryLink) {
	record, _ := observe.ReadRecord(s.Root) // else nothing is known
	started, _ := schemas.ParseTime(session.Started)
	ended, _ := schemas.ParseTime(session.Ended)
	add := func(list []memoryLink, paths []string) []memoryLink {
		for _, path := range paths {
			if next := link(place{Root: s.Root}, path); !slices.Contains(list, next) {
				list = append(list, next)
			}
		}
		return list
	}
	for _, in := range record {
		switch {
		case in.GivenAt() != "" && in.Session == observe.SessionKey(session.ID):
			given = add(given, in.Memories)
		case in.Use == observe.Saved && in.Time.After(started) && in.Time.Before(ended.Add(afterEnd)):
			saved = add(saved, in.Memories)
		}
	}
	return given, saved
}

// saveTurn makes a memory of a turn, as "memctl sessions save" does.
func (s *Server) saveTurn(v *visit) (answer, error) {
	turn, err := strconv.Atoi(v.PathValue("turn"))
	if err != nil {
		return answer{}, errNoPage
	}
	var d sessions.Draft
	err = s.past(v.Context(), func(l *sessions.Library) (err error) {
		d, err = l.Draft(v.Context(), v.PathValue("id"), turn)
		return err
	})
	if err != nil {
		return answer{}, fmt.Errorf("turn %d: %w", turn, err)
	}
	return s.change(s.Root, func(st *store.Store, _ *writer.Writer) (made, error) {
		saved, err := st.Add(v.Context(), store.Refuse, store.Note{Text: d.Text, Given: &d.Given})
		return s.saved(v, place{Root: s.Root}, nil, saved.Category, saved.Saved), err
	})
}
