package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"
)

// visit is a request with what most answers need.
type visit struct {
	*http.Request
	lang    string
	changes int // how often pages had been told of changes
	config  schemas.Config
	// warnings are about the configuration.
	warnings []schemas.Warning
}

// answer is a page, or the path below base to go on to.
type answer struct {
	page   string // its template
	title  string
	data   any
	status int // 0 is 200
	goTo   string
}

type pageFunc func(v *visit) (answer, error)

// page answers a request that changes nothing.
func (s *Server) page(fn pageFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-r.Context().Done():
			return
		}
		v := &visit{Request: r, lang: languageOf(r.Header.Get("Accept-Language"))}
		v.changes, _ = s.events.state()
		a, err := s.answer(v, fn)
		if err != nil {
			a = s.errorPage(v, err)
		}
		s.write(w, v, a)
	})
}

// form answers a form of one of the pages, which may send so many bytes.
func (s *Server) form(limit int64, fn pageFunc) http.Handler {
	checked := s.page(func(v *visit) (answer, error) {
		err := v.ParseForm()
		if err == nil {
			err = v.ParseMultipartForm(limit)
		}
		switch {
		case errors.As(err, new(*http.MaxBytesError)):
			return answer{}, err
		case err != nil && !errors.Is(err, http.ErrNotMultipart):
			return answer{}, fmt.Errorf("%w: %w", errFormUnread, err)
		}
		if !s.access.checkForm(v.Request) {
			return answer{}, errForm
		}
		return fn(v)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		checked.ServeHTTP(w, r)
	})
}

// errForm is the error of a form that no page of this server has.
var errForm = errors.New("the form is out of date: go back, reload the page and send it again")

// errFormUnread is the error of a form that cannot be read, or has more fields than net/url reads.
var errFormUnread = errors.New("the form cannot be read")

// errReadOnly is the error of a change in a root that is only read.
var errReadOnly = errors.New("memctl only reads these memories: they are in a root of sources.roots")

// answer runs fn. A panic is an error of this page only.
func (s *Server) answer(v *visit, fn pageFunc) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Warn(fmt.Sprintf("%s %s: panic: %v", v.Method, v.URL.Path, p))
			err = errors.New("memctl made a mistake; the terminal says which")
		}
	}()
	if v.config, v.warnings, err = s.Root.Config(); err != nil {
		return a, fmt.Errorf("read %s: %w", memdir.ConfigName, err)
	}
	return fn(v)
}

// use runs fn on the index of the server's root, which is up to date.
func (s *Server) use(ctx context.Context, fn func(retrieve.Source) error) error {
	return useRoot(ctx, s.Root, fn)
}

// ask runs fn on the indexes of roots, which are up to date.
func (s *Server) ask(ctx context.Context, roots []memdir.Root, fn func(retrieve.Sources) error) error {
	return store.At(s.Root, store.Options{Depth: store.Full}).Ask(ctx, roots, fn)
}

// useRoot runs fn on the index of a root, which is up to date.
func useRoot(ctx context.Context, root memdir.Root, fn func(retrieve.Source) error) error {
	return store.At(root, store.Options{Depth: store.Full}).Look(ctx, root, fn)
}

// problemPage is what the page of an error shows.
type problemPage struct {
	Title   string
	Message string
	Details []writer.Detail
	Hint    string
}

var errNoPage = errors.New("there is no such page")

func (s *Server) notFound(*visit) (answer, error) { return answer{}, errNoPage }

func (s *Server) errorPage(v *visit, err error) answer {
	p := problemPage{Message: err.Error()}
	status := http.StatusInternalServerError
	var refused *writer.Error
	var hinted interface{ Hint() string }
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		status = http.StatusRequestEntityTooLarge
	case errors.Is(err, errFormUnread):
		status = http.StatusBadRequest
	case errors.Is(err, errForm), errors.Is(err, errReadOnly):
		status = http.StatusForbidden
	case errors.Is(err, errNoPage), errors.As(err, new(*retrieve.Unclear)),
		errors.Is(err, retrieve.ErrNotAnID), errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	case errors.As(err, &refused):
		status = http.StatusConflict
		p.Message, p.Details = string(refused.Code), refused.Details()
	}
	if errors.As(err, &hinted) {
		p.Hint = hinted.Hint()
	}
	p.Title = v.t(fmt.Sprintf("problem-%d", status))
	return answer{page: "problem", title: p.Title, data: p, status: status}
}

// write renders a page whole before it sends anything.
func (s *Server) write(w http.ResponseWriter, v *visit, a answer) {
	if a.goTo != "" {
		http.Redirect(w, v.Request, s.access.base+a.goTo, http.StatusSeeOther)
		return
	}
	var page bytes.Buffer
	if err := s.pages.render(&page, v.lang, a, frame{
		Section: section(a.page),
		Changes: v.changes,
		Notices: s.notices.take(v.URL.Query().Get("note")),
	}); err != nil {
		s.Warn(fmt.Sprintf("page %s: %v", a.page, err))
		http.Error(w, "memctl made a mistake; the terminal says which", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "Accept-Language")
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = page.WriteTo(w) // a browser that has gone needs no answer
}

// section is the entry of the menu that a page belongs to.
func section(page string) string {
	switch page {
	case "memory", "edit", "new":
		return "memories"
	case "session", "triage":
		return "sessions"
	case "checks":
		return "health"
	}
	return page
}

// memoryTitle is the name of the project, for the head of each page. The user's own root
// belongs to none.
func memoryTitle(root memdir.Root) string {
	if root.Scope == memdir.UserScope {
		return text.OneLine(root.Shown, 60)
	}
	name := root.Project[strings.LastIndexAny(root.Project, `/\`)+1:]
	return text.OneLine(name, 60)
}
