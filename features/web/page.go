package web

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memctl/features/doctor"
	"memctl/files"
	"memctl/observe"
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
		// Not a deadline: with one, the index is built as a hook builds it, in parts that fit.
		ctx, stop := context.WithCancelCause(r.Context())
		defer time.AfterFunc(answerTime, func() { stop(errTooLong) }).Stop()
		defer stop(nil)
		v := &visit{Request: r.WithContext(ctx), lang: langOf(r)}
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

// errTooLong is the error of a page that was given up.
var errTooLong = fmt.Errorf("it takes longer than %d minutes", answerTime/time.Minute)

// errReadOnly is the error of a change in a root that is only read.
var errReadOnly = errors.New("memctl only reads these memories here: they are notes of Claude Code, another " +
	"project's, or in a root of sources.roots")

// answer runs fn. A panic is an error of this page only.
func (s *Server) answer(v *visit, fn pageFunc) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Warn(fmt.Sprintf("%s %s: panic: %v", v.Method, v.URL.Path, p))
			err = errors.New("internal error; see the terminal")
		}
		if err != nil && context.Cause(v.Context()) == errTooLong {
			err = errTooLong
		}
	}()
	if v.config, v.warnings, err = s.Root.Config(); err != nil {
		return a, fmt.Errorf("read %s: %w", files.ConfigName, err)
	}
	v.warningsInWords()
	return fn(v)
}

// searcher returns what turns words into queries by the settings of the server's root.
func (s *Server) searcher(v *visit) retrieve.Searcher {
	return store.At(s.Root, store.Options{UserModel: s.UserModel}).SearcherWith(s.Root, v.config)
}

// problemPage is the content of an error's page.
type problemPage struct {
	Title   string
	Message string
	Details []writer.Detail
	Hint    string
	File    string // what a file says that is no memory
}

// maxFile is how many code points of a file that is no memory a page shows.
const maxFile = 20_000

var errNoPage = errors.New("there is no such page")

func (s *Server) errorPage(v *visit, err error) answer {
	p := problemPage{Message: said(v.lang, err.Error()), Hint: said(v.lang, text.Hint(err))}
	status := http.StatusInternalServerError
	var refused *writer.Error
	var broken *unreadable
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		status = http.StatusRequestEntityTooLarge
	case errors.Is(err, errFormUnread):
		status = http.StatusBadRequest
	case errors.Is(err, errUndo), errors.Is(err, errAnswered):
		status = http.StatusGone
	case errors.Is(err, errForm), errors.Is(err, errReadOnly):
		status = http.StatusForbidden
	case errors.Is(err, errNoPage), errors.As(err, new(*retrieve.Unclear)),
		errors.Is(err, retrieve.ErrNotAnID), errors.Is(err, fs.ErrNotExist):
		status = http.StatusNotFound
	case errors.As(err, &refused):
		status = http.StatusConflict
		p.Message, p.Details = wordText(v.lang, "refused.", string(refused.Code)), refused.Details()
	case errors.As(err, &broken):
		status, p.File = http.StatusUnprocessableEntity, text.Truncate(string(broken.data), maxFile)
	case errors.As(err, new(*store.DuplicateError)):
		status = http.StatusConflict
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
	note, undo := v.URL.Query().Get("note"), ""
	if s.undoable(note) {
		undo = note
	}
	if err := s.pages.render(&page, v.lang, a, frame{
		Section: section(a.page),
		Changes: v.changes,
		Notices: eachSaid(v.lang, s.notices.take(note)),
		Undo:    undo,
		Verdict: s.verdicts.get(strconv.Itoa(v.changes)),
		Theme:   choiceOf(v.Request, themeCookie, themes),
		Here:    v.URL.RequestURI(),
	}); err != nil {
		s.Warn(fmt.Sprintf("page %s: %v", a.page, err))
		http.Error(w, "internal error; see the terminal", http.StatusInternalServerError)
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
	case "memory", "edit", "new", "marked":
		return "memories"
	case "session", "keep", "triage":
		return "sessions"
	case "checks":
		return "health"
	case "private":
		return "trust"
	}
	return page
}

// memoryTitle is the name of the project, for the head of each page. The user's own root
// belongs to none.
func memoryTitle(root files.Root) string {
	if root.Scope == files.UserScope {
		return text.OneLine(root.Shown, 60)
	}
	name := root.Project[strings.LastIndexAny(root.Project, `/\`)+1:]
	return text.OneLine(name, 60)
}

//go:embed templates
var templates embed.FS

// pages are the templates in each language, parsed when the first page is shown.
type pages struct {
	base, project string
	version       string                     // of the static files
	token         func(action string) string // of a form
	parsed        func() map[string]*template.Template
}

func newPages(a access, root files.Root) pages {
	p := pages{base: a.base, project: memoryTitle(root), version: staticVersion(), token: a.formToken}
	p.parsed = sync.OnceValue(func() map[string]*template.Template {
		sets := map[string]*template.Template{}
		for _, lang := range languages {
			sets[lang] = template.Must(template.New("").Funcs(p.funcs(lang)).ParseFS(templates, "templates/*.html"))
		}
		return sets
	})
	return p
}

// frame is the part of a page that all pages share.
type frame struct {
	Title   string
	Lang    string
	Project string
	Section string
	Changes int // how often pages had been told of changes
	Notices []string
	Undo    string         // the key of a change that can be undone, "" for none
	Verdict doctor.Verdict // "" if no one has asked yet
	Theme   string         // that the person chose, "" for the system's
	Here    string         // the address, below the base
	Page    template.HTML
}

// render writes a page within its frame.
func (p pages) render(out io.Writer, lang string, a answer, f frame) error {
	set := p.parsed()[lang]
	var body strings.Builder
	if err := set.ExecuteTemplate(&body, a.page+".html", a.data); err != nil {
		return err
	}
	f.Title, f.Lang, f.Project, f.Page = a.title, lang, p.project, template.HTML(body.String())
	return set.ExecuteTemplate(out, "frame.html", f)
}

// funcs are the functions of templates.
func (p pages) funcs(lang string) template.FuncMap {
	return template.FuncMap{
		"t":     func(key string, args ...any) template.HTML { return translateHTML(lang, key, args...) },
		"check": func(name string) string { return checkName(lang, name) },
		"found": func(f interface {
			In(func(string) string) string
		}) string {
			return said(lang, text.Particles(f.In(inLanguage(lang))))
		},
		"said":       func(english string) string { return said(lang, english) },
		"repair":     func(fix string) template.HTML { return repair(lang, fix) },
		"word":       func(kind, word string) string { return wordText(lang, kind, word) },
		"help":       inLanguage(lang),
		"field":      func(name string) template.HTML { return show(onLine(fieldName(lang, name))) },
		"category":   func(c any) string { return wordText(lang, "category.", fmt.Sprint(c)) },
		"status":     func(s schemas.Status) template.HTML { return show(wordText(lang, "status.", string(s))) },
		"base":       func() string { return p.base },
		"version":    func() string { return p.version },
		"languages":  func() []string { return languages },
		"themes":     func() []string { return themes },
		"shortcuts":  func() []shortcut { return shortcuts },
		"memory":     func(path string) string { return p.base + place{}.address(path) },
		"show":       func(s string) template.HTML { return spoken(lang, s, show(s)) },
		"line":       func(s string) template.HTML { return spoken(lang, s, show(onLine(s))) },
		"mark":       func(s string, typed retrieve.Typed) template.HTML { return spoken(lang, s, marked(s, typed)) },
		"codes":      codes,
		"day":        func(s string) template.HTML { return stamp(lang, s, justDay, time.Now()) },
		"plainDay":   func(date string) string { return plainDay(lang, date, time.Now()) },
		"when":       func(s string) template.HTML { return stamp(lang, s, dayAndClock, time.Now()) },
		"stamped":    func(at time.Time) template.HTML { return timed(lang, at, dayAndClock) },
		"span":       func(from, until string) template.HTML { return span(lang, from, until) },
		"percent":    func(f float64) string { return fmt.Sprintf("%.0f%%", 100*f) },
		"number":     func(n any) string { return fmt.Sprint(inFigures([]any{n})...) },
		"two":        func(f float64) string { return fmt.Sprintf("%.2f", f) },
		"bytes":      size,
		"add":        func(a, b int) int { return a + b },
		"sub":        func(a, b int) int { return a - b },
		"share":      share,
		"title":      func(s string) string { return cmp.Or(codes(s), s) },
		"diff":       func(old, now any) []diffLine { return diff(plainValue(old), plainValue(now)) },
		"kind":       kindOf,
		"plain":      func(value any) string { return shownValue(lang, value) },
		"has":        hasValue,
		"token":      p.token,
		"sections":   func() []string { return sections },
		"clock":      func(at time.Time) template.HTML { return timed(lang, at, justClock) },
		"whyQuery":   whyQuery,
		"hour":       func(at time.Time) string { return at.Local().Format("15:04") },
		"brief":      func(s string) template.HTML { return brief(lang, s) },
		"coded":      coded,
		"folded":     func(what string) bool { return slices.Contains(folded, what) },
		"statuses":   func() []schemas.Status { return schemas.Statuses },
		"ages":       func() []string { return ages },
		"sorts":      func() []string { return retrieve.SortNames },
		"categories": func() []schemas.CategoryInfo { return schemas.Categories },
	}
}

// maxLine is how many code points of a text stand on one line.
const maxLine = 300

// onLine puts a text on one line. It leaves invisible characters for show.
func onLine(s string) string {
	return text.Ellipsis(strings.Join(strings.Fields(s), " "), maxLine)
}

// maxBrief is how many code points of a prompt the story of a day shows.
const maxBrief = 110

// folded are the moments of which the story of a day has one line, which a click opens.
var folded = []string{observe.AtStart, observe.AtSubagent, observe.AtTool}

// coded renders a text with code between backquotes.
func coded(s string) (shown template.HTML) {
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			shown += "<code>" + show(part) + "</code>"
		} else {
			shown += show(part)
		}
	}
	return shown
}

// cutLast cuts a path before its last element.
func cutLast(path string) (before, last string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}
