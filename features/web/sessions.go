package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
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
	// maxFixes is how many fixes the list of sessions shows.
	maxFixes = 5
)

// sessionsPage lists the sessions of the project, or those that some words find.
type sessionsPage struct {
	Rows    []sessionRow
	Enabled bool          // tools are observed
	Fixes   []observe.Fix // of the sessions that can be listed, the last first
	Words   string
	Matches []sessions.Match
	Problem string // why past sessions are missing
}

// sessionRow is a session of which there is a transcript, or whose tools were observed.
type sessionRow struct {
	ID, Prompt, Client, Problem         string
	From, Until                         string
	Turns, Runs, Failures, Given, Saved int
}

// runs returns the runs of tools that a filter selects.
func (s *Server) runs(ctx context.Context, f retrieve.ObservationFilter) (runs []schemas.Run, err error) {
	err = s.use(ctx, func(source retrieve.Source) (err error) {
		runs, err = source.Runs(ctx, f)
		return err
	})
	return runs, err
}

// fixes returns what failed and worked later in the same session, the last first.
func (s *Server) fixes(ctx context.Context, f retrieve.ObservationFilter) ([]observe.Fix, error) {
	runs, err := s.runs(ctx, f)
	fixes := observe.Fixes(runs)
	slices.Reverse(fixes)
	return fixes, err
}

func (s *Server) sessions(v *visit) (answer, error) {
	p := sessionsPage{Enabled: v.config.Observations.Enabled, Words: v.URL.Query().Get("q")}
	var observed []retrieve.Session
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		observed, err = source.Sessions(v.Context(), maxSessions)
		return err
	})
	if err == nil && len(observed) == 0 {
		err = observe.CheckReadable(s.Root)
	}
	if err != nil {
		return answer{}, err
	}
	var listed retrieve.ObservationFilter
	if len(observed) == maxSessions {
		listed.Since = strings.TrimSuffix(observed[maxSessions-1].First, "Z")
	}
	if p.Fixes, err = s.fixes(v.Context(), listed); err != nil {
		return answer{}, err
	}
	p.Fixes = p.Fixes[:min(len(p.Fixes), maxFixes)]
	var past []sessions.Session
	err = s.past(v.Context(), func(l *sessions.Library) (err error) {
		if l.Stale != nil {
			p.Problem = said(v.lang, l.Stale.Error())
		}
		if p.Words != "" {
			p.Matches, err = l.Search(v.Context(), p.Words, maxSessions)
			return err
		}
		past, err = l.List(v.Context(), time.Time{}, maxSessions)
		return err
	})
	if err != nil && !errors.Is(err, sessions.ErrOff) {
		p.Problem = said(v.lang, err.Error())
	}
	if p.Words == "" {
		var record []observe.Injection
		for _, at := range s.places() {
			list, _ := observe.ReadRecord(at.Root) // else nothing is counted
			record = append(record, list...)
		}
		p.Rows = sessionRows(past, observed, record)
	}
	return answer{page: "sessions", title: v.t("nav.sessions"), data: p}, nil
}

// sessionRows makes one row of each session, the latest first.
func sessionRows(past []sessions.Session, observed []retrieve.Session, record []observe.Injection) []sessionRow {
	rows := map[string]*sessionRow{}
	for _, one := range past {
		rows[observe.SessionKey(one.ID)] = &sessionRow{ID: one.ID, Prompt: one.FirstPrompt, Turns: one.Turns,
			Client: clientTitle(one.Client), Problem: one.Problem, From: one.Started, Until: one.Ended}
	}
	for _, one := range observed {
		row := rows[one.ID]
		if row == nil {
			row = &sessionRow{ID: one.ID, From: one.First, Until: one.Last}
			rows[one.ID] = row
		}
		row.Runs, row.Failures = one.Runs, one.Failures
	}
	for _, in := range record {
		switch row := rows[in.Session]; {
		case row == nil:
		case in.GivenAt() == observe.AtPrompt, in.GivenAt() == observe.AtTool:
			row.Given += len(in.Memories)
		case in.Use == observe.Saved:
			row.Saved += len(in.Memories)
		}
	}
	list := make([]sessionRow, 0, len(rows))
	for _, row := range rows {
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b sessionRow) int {
		at, _ := schemas.ParseTime(a.Until)
		other, _ := schemas.ParseTime(b.Until)
		return cmp.Or(other.Compare(at), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), maxSessions)]
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
		return m.undoing(func(context.Context, *writer.Writer) error {
			undone()
			return hooks.Wait(s.Root, line)
		}), hooks.Settle(s.Root, line)
	})
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
