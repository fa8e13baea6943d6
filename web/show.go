package web

import (
	"fmt"
	"html/template"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// show renders a text that strangers wrote: escaped, invisible characters as codes, and a
// lock where something private was taken out.
func show(s string) template.HTML {
	return template.HTML(spell(s, locked, `<span class="code">U+%04X</span>`))
}

// codes returns a text with its invisible characters as codes, "" if it has none.
func codes(s string) string {
	coded := spell(s, strings.Clone, "[U+%04X]")
	if coded == string([]rune(s)) {
		return ""
	}
	return coded
}

// spell renders what text.Paragraph leaves of a text by plain, and what it removes by a
// format.
func spell(s string, plain func(string) string, code string) string {
	visible := []rune(text.Paragraph(s))
	var b, run strings.Builder
	for _, r := range s {
		if len(visible) > 0 && visible[0] == r {
			run.WriteRune(r)
			visible = visible[1:]
			continue
		}
		b.WriteString(plain(run.String()))
		run.Reset()
		fmt.Fprintf(&b, code, r)
	}
	b.WriteString(plain(run.String()))
	return b.String()
}

// lock is the picture of a lock.
const lock = `<svg class="lock" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">` +
	`<path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>`

// locked escapes a text and puts a lock at each marker of something that was taken out.
func locked(plain string) string {
	marked, _ := schemas.MarkRemoved(template.HTMLEscapeString(plain), func(marker string) string {
		return `<span class="withheld">` + lock + strings.Trim(marker, "[]") + `</span>`
	})
	return marked
}

// withheld reports whether something was taken out of a text.
func withheld(s string) bool {
	_, found := schemas.MarkRemoved(s, strings.Clone)
	return found
}
