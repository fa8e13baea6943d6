package web

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

//go:embed templates
var templates embed.FS

// pages are the templates in each language, parsed when the first page is shown.
type pages struct {
	base, project string
	token         func(action string) string // of a form
	parsed        func() (map[string]*template.Template, error)
}

func newPages(a access, root memdir.Root) pages {
	p := pages{base: a.base, project: memoryTitle(root), token: a.formToken}
	p.parsed = sync.OnceValues(func() (map[string]*template.Template, error) {
		sets := map[string]*template.Template{}
		for _, lang := range languages {
			set, err := template.New("").Funcs(p.funcs(lang)).ParseFS(templates, "templates/*.html")
			if err != nil {
				return nil, err
			}
			sets[lang] = set
		}
		return sets, nil
	})
	return p
}

// frame is what stands around a page.
type frame struct {
	Title   string
	Lang    string
	Project string
	Section string
	Changes int // how often pages had been told of changes
	Notices []string
	Page    template.HTML
}

// render writes a page within its frame.
func (p pages) render(out io.Writer, lang string, a answer, f frame) error {
	sets, err := p.parsed()
	if err != nil {
		return err
	}
	var body strings.Builder
	if err := sets[lang].ExecuteTemplate(&body, a.page+".html", a.data); err != nil {
		return err
	}
	f.Title, f.Lang, f.Project, f.Page = a.title, lang, p.project, template.HTML(body.String())
	return sets[lang].ExecuteTemplate(out, "frame.html", f)
}

// funcs are what templates call.
func (p pages) funcs(lang string) template.FuncMap {
	return template.FuncMap{
		"t":          func(key string, args ...any) string { return translate(lang, key, args...) },
		"field":      func(name string) template.HTML { return show(onLine(fieldName(lang, name))) },
		"category":   func(c any) string { return wordText(lang, "category.", fmt.Sprint(c)) },
		"status":     func(s schemas.Status) template.HTML { return show(wordText(lang, "status.", string(s))) },
		"base":       func() string { return p.base },
		"memory":     func(path string) string { return p.base + place{}.address(path) },
		"show":       show,
		"line":       func(s string) template.HTML { return show(onLine(s)) },
		"codes":      codes,
		"day":        func(s string) template.HTML { return stamp(s, "2006-01-02") },
		"when":       func(s string) template.HTML { return stamp(s, "2006-01-02 15:04") },
		"percent":    func(f float64) string { return fmt.Sprintf("%.0f%%", 100*f) },
		"two":        func(f float64) string { return fmt.Sprintf("%.2f", f) },
		"bytes":      size,
		"add":        func(a, b int) int { return a + b },
		"sub":        func(a, b int) int { return a - b },
		"share":      share,
		"title":      func(s string) string { return cmp.Or(codes(s), s) },
		"diff":       sidesOf,
		"kind":       kindOf,
		"plain":      func(value any) string { return shownValue(lang, value) },
		"has":        hasValue,
		"token":      p.token,
		"sections":   func() []string { return []string{"memories", "why", "sessions", "health", "charts", "settings"} },
		"statuses":   func() []schemas.Status { return schemas.Statuses },
		"ages":       func() []string { return ages },
		"sorts":      func() []string { return retrieve.SortNames },
		"categories": func() []schemas.CategoryInfo { return schemas.Categories },
		"succeeded":  func(b *bool) bool { return b != nil && *b },
	}
}

// maxLine is how many code points of a text stand on one line.
const maxLine = 300

// onLine puts a text on one line. It leaves invisible characters for show.
func onLine(s string) string {
	return text.Ellipsis(strings.Join(strings.Fields(s), " "), maxLine)
}

// stamp renders a time in the person's time zone. What is no time stays as it is.
func stamp(s, layout string) template.HTML {
	at, ok := schemas.ParseTime(s)
	if !ok {
		return show(onLine(s))
	}
	exact := at.UTC().Format(time.RFC3339)
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, exact, at.Local().Format(layout)))
}

// size renders a number of bytes.
func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}

// cutLast cuts a path before its last element.
func cutLast(path string) (before, last string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}
