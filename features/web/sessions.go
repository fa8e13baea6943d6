package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"memctl/clients"
	"memctl/features/sessions"
	"memctl/hooks"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

const (
	// maxSessions is how many sessions are listed.
	maxSessions = 200
	// maxRuns is how many runs of tools a session's page lists.
	maxRuns = 500
)

// sessionsPage lists the sessions of which tools were observed.
type sessionsPage struct {
	Sessions []retrieve.Session
	Enabled  bool
	Fixes    []observe.Fix // of all sessions, the last first

	// Past sessions, or those that some words find; PastProblem is why there are none.
	Past        []sessions.Session
	Words       string
	Matches     []sessions.Match
	PastProblem string
}

// maxFixes is how many fixes the list of sessions shows.
const maxFixes = 5

// fixes returns what failed in a session and worked later, the last first; "" for all sessions.
func (s *Server) fixes(ctx context.Context, session string) ([]observe.Fix, error) {
	var runs []schemas.Run
	err := s.use(ctx, func(source retrieve.Source) (err error) {
		runs, err = source.Runs(ctx, retrieve.ObservationFilter{Session: session})
		return err
	})
	fixes := observe.Fixes(runs)
	slices.Reverse(fixes)
	return fixes, err
}

func (s *Server) sessions(v *visit) (answer, error) {
	p := sessionsPage{Enabled: v.config.Observations.Enabled}
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		p.Sessions, err = source.Sessions(v.Context(), maxSessions)
		return err
	})
	if err == nil && len(p.Sessions) == 0 {
		err = observe.CheckReadable(s.Root)
	}
	if err != nil {
		return answer{}, err
	}
	p.Fixes, err = s.fixes(v.Context(), "")
	p.Fixes = p.Fixes[:min(len(p.Fixes), maxFixes)]
	s.addPast(v, &p)
	return answer{page: "sessions", title: v.t("nav.sessions"), data: p}, err
}

// settleLine makes a memory of a line that waits, as "memctl stage save" does, or drops it. undone is
// called when that is undone.
func (s *Server) settleLine(v *visit, line hooks.Candidate, save bool, undone func()) (answer, error) {
	return s.change(s.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		m := outcome{notes: []string{v.t("waiting.dropped")}}
		if save {
			saved, err := st.Add(v.Context(), store.Refuse, store.Note{Text: line.Text, Given: &schemas.Memory{}})
			if err != nil {
				return m, err
			}
			m = s.saved(v, place{Root: s.Root}, nil, saved.Category, saved.Saved)
		}
		m.page, m.before = "/today", "/today"
		return m.undoing(func() error {
			undone()
			return hooks.Wait(s.Root, line)
		}), hooks.Settle(s.Root, line)
	})
}

// sessionPage shows the runs of tools in a session.
type sessionPage struct {
	ID           string
	Runs         []retrieve.Observation // the first first
	More         bool                   // there are earlier ones
	Failures     int
	Fixes        []observe.Fix
	Failed       bool // only failures are shown
	Triage       *clients.Scores
	Conversation *conversation // nil if there is no transcript
}

func (s *Server) session(v *visit) (answer, error) {
	p := sessionPage{ID: v.PathValue("id"), Failed: v.URL.Query().Get("failed") != ""}
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		filter := retrieve.ObservationFilter{Session: p.ID, Failed: p.Failed, Limit: maxRuns + 1}
		p.Runs, err = source.Observations(v.Context(), filter)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if p.Conversation = s.conversation(v, p.ID); len(p.Runs) == 0 && !p.Failed && p.Conversation == nil {
		return answer{}, errNoPage
	}
	p.More = len(p.Runs) > maxRuns
	p.Runs = p.Runs[:min(len(p.Runs), maxRuns)]
	slices.Reverse(p.Runs)
	for _, run := range p.Runs {
		if run.Success != nil && !*run.Success {
			p.Failures++
		}
	}
	if p.Fixes, err = s.fixes(v.Context(), p.ID); err != nil {
		return answer{}, err
	}
	if report, found, err := clients.ScoreSession(p.ID, v.config); err == nil && found {
		p.Triage = &report
	}
	return answer{page: "session", title: v.t("session.title", p.ID), data: p}, nil
}

// triagePage is the form for a transcript, and its scores.
type triagePage struct {
	Report  *clients.Scores
	Problem string
}

func (s *Server) triageForm(v *visit) (answer, error) {
	return answer{page: "triage", title: v.t("triage.title"), data: triagePage{}}, nil
}

// triage scores a transcript that the browser sends. It is not kept.
func (s *Server) triage(v *visit) (answer, error) {
	var p triagePage
	a := answer{page: "triage", title: v.t("triage.title")}
	file, _, err := v.FormFile("transcript")
	if errors.Is(err, http.ErrMissingFile) {
		p.Problem = v.t("triage.missing")
		a.data, a.status = p, http.StatusUnprocessableEntity
		return a, nil
	}
	if err != nil {
		return a, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return a, err
	}
	report, err := clients.Score(bytes.NewReader(data), int64(len(data)), v.config)
	p.Report = &report
	a.data = p
	return a, err
}

const (
	// maxTurns is how many turns of a session one page shows.
	maxTurns = 200
	// afterEnd is how long after a session's end a memory still counts as saved from it.
	afterEnd = time.Minute
)

// conversation is a past session: what was said, given and saved.
type conversation struct {
	sessions.Conversation
	From     int // the first turn of the page
	Next     int // that of the next page, 0 for none
	Injected []memoryLink
	Saved    []memoryLink
}

// memoryLink leads to a memory that the record of injections names.
type memoryLink struct {
	Title, Address string
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
	l, err := sessions.Open(ctx, sessions.Scope{Folder: s.Root.Project, UserModel: s.UserModel}, nil)
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
			p.Matches, err = l.Search(v.Context(), p.Words, maxSessions)
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
	c.Injected, c.Saved = s.recorded(c.Session)
	return &c
}

// recorded returns the memories that were given to a session, and those that were saved while it ran: the
// record does not say which session saved one.
func (s *Server) recorded(session sessions.Session) (injected, saved []memoryLink) {
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
			injected = add(injected, in.Memories)
		case in.Use == observe.Saved && in.Time.After(started) && in.Time.Before(ended.Add(afterEnd)):
			saved = add(saved, in.Memories)
		}
	}
	return injected, saved
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
	return s.change(s.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		saved, err := st.Add(v.Context(), store.Refuse, store.Note{Text: d.Text, Given: &d.Fields})
		return s.saved(v, place{Root: s.Root}, nil, saved.Category, saved.Saved), err
	})
}
