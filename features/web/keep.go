package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"memctl/features/sessions"
	"memctl/schemas"
	"memctl/store"
	"memctl/triage"
	"memctl/writer"
)

// keepPage is the form for a memory of a passage.
type keepPage struct {
	newPage
	Action, Back string // below the base
	Side         string // of the passage
	Category     schemas.Category
	Title        string
}

// keepOf is the form for a passage that an address names.
func keepOf(v *visit) (p keepPage, turn int, err error) {
	if turn, err = strconv.Atoi(v.PathValue("turn")); err != nil || turn < 1 {
		return p, turn, errNoPage
	}
	p.Back = fmt.Sprintf("/sessions/%s?turn=%d#turn-%d", url.PathEscape(v.PathValue("id")), turn, turn)
	p.Action, p.Side = v.URL.EscapedPath(), v.FormValue("side")
	return p, turn, nil
}

// keepAnswer is the page with the form.
func (s *Server) keepAnswer(v *visit, p keepPage, status int) answer {
	p.Roots = s.rootsFor(v)
	return answer{page: "keep", title: v.t("keep.title"), data: p, status: status}
}

// keepForm proposes a memory of a passage, or of what was selected in it, as "memctl add" does of a text.
func (s *Server) keepForm(v *visit) (answer, error) {
	p, turn, err := keepOf(v)
	if err != nil {
		return answer{}, err
	}
	var d sessions.Draft
	err = s.past(v.Context(), func(l *sessions.Library) (err error) {
		d, err = l.Draft(v.Context(), v.PathValue("id"), turn, triage.Side(p.Side), v.URL.Query().Get("text"))
		return err
	})
	if err != nil {
		return answer{}, fmt.Errorf("turn %d: %w", turn, err)
	}
	m, err := store.At(s.Root, store.Options{}).DraftOf(d.Text)
	if err != nil {
		return answer{}, err
	}
	p.Text, p.Category, p.Title = d.Text, m.Category, m.Title
	return s.keepAnswer(v, p, http.StatusOK), nil
}

// saveTurn makes a memory of a passage, as "memctl sessions save" does.
func (s *Server) saveTurn(v *visit) (answer, error) {
	p, _, err := keepOf(v)
	if err != nil {
		return answer{}, err
	}
	p.Text, p.Title = v.PostFormValue("text"), v.PostFormValue("title")
	p.Category = schemas.Category(v.PostFormValue("category"))
	if _, known := p.Category.Info(); !known {
		return answer{}, errNoPage
	}
	root, err := s.placeFor(v.PostFormValue("root"))
	if err != nil {
		return answer{}, err
	}
	note := store.Note{Text: p.Text, Category: p.Category, Given: &schemas.Memory{Title: strings.TrimSpace(p.Title)}}
	a, err := s.change(root.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		saved, err := st.Add(v.Context(), policyOf(v), note)
		m := s.saved(v, root, nil, saved.Category, saved.Saved)
		m.before = p.Back
		return m, err
	})
	if status := p.refused(v.lang, root, err); status != 0 {
		return s.keepAnswer(v, p, status), nil
	}
	return a, err
}

// policyOf says whether a duplicate is saved.
func policyOf(v *visit) store.Policy {
	if v.PostFormValue("anyway") != "" {
		return store.Anyway
	}
	return store.Refuse
}

// refused notes what is wrong with the text that was sent, and returns the status of the form that says so; 0 if it was
// saved.
func (p *newPage) refused(lang string, root place, err error) int {
	duplicate := new(store.DuplicateError)
	switch {
	case errors.As(err, &duplicate):
		p.Duplicate = knownOf(root, duplicate)
		return http.StatusConflict
	case errors.As(err, new(*writer.Error)) || err != nil && strings.TrimSpace(p.Text) == "":
		p.Problem = reason(lang, err)
		return http.StatusUnprocessableEntity
	}
	return 0
}
