package exchange

import (
	"context"
	_ "embed"
	"html/template"
	"io"
	"sync"

	"memctl/schemas"
	"memctl/text"
)

//go:embed page.html
var pageSource string

var pageParts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"clean": text.Paragraph,
		"page":  linkedMemory,
		"link":  func(page string) template.URL { return template.URL("#" + text.Paragraph(page)) },
	}).Parse(pageSource))
})

// Page writes the active memories as one HTML page without scripts. It returns their
// number.
func (x *Exporter) Page(ctx context.Context, out io.Writer) (int, error) {
	parts := pageParts()
	if err := parts.ExecuteTemplate(out, "head", nil); err != nil {
		return 0, err
	}
	n, last := 0, schemas.Category("")
	err := x.active(ctx, func(m memory) error {
		n++
		if category := m.category(); category != last {
			last = category
			if err := parts.ExecuteTemplate(out, "category", heading2(string(category))); err != nil {
				return err
			}
		}
		return parts.ExecuteTemplate(out, "memory", m)
	})
	if err == nil {
		err = parts.ExecuteTemplate(out, "foot", nil)
	}
	return n, err
}
