package retrieve

import (
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// maxDescriptions bounds the descriptions of categories, in the client's units: a
// configuration may describe any number.
const maxDescriptions = 4000

// Block renders results as the context that a prompt receives (DESIGN §4), ""
// for none. Everything that came from a file or the configuration is made safe
// for one line; results that would push the block over the client's limit are
// left out, the worst first.
func Block(results []Result, shown string, descriptions []schemas.Description) string {
	if len(results) == 0 {
		return ""
	}
	const end = "</memory-context>\n"
	var b strings.Builder
	b.WriteString(`<memory-context source="` + text.EscapeXML(text.Printable(shown)) + `/"`)
	if list := describe(descriptions); list != "" {
		b.WriteString(` descriptions="` + list + `"`)
	}
	b.WriteString(">\n")
	room := text.MaxHookText - text.Units(b.String()) - len(end)
	for _, r := range results {
		line := Line(r, shown)
		if room -= text.Units(line); room < 0 {
			break
		}
		b.WriteString(line)
	}
	b.WriteString(end)
	return b.String()
}

// Line renders one result as a line of the block.
func Line(r Result, shown string) string {
	var b strings.Builder
	b.WriteString("- [" + r.Category.Display() + "] " + text.Line(r.Title))
	b.WriteString(" -> " + text.EscapeXML(text.Printable(shown+"/"+r.Path)))
	if tags := text.EscapeXML(text.Printable(r.Tags)); tags != "" {
		b.WriteString(" #tags:" + tags)
	}
	b.WriteByte('\n')
	return b.String()
}

func describe(descriptions []schemas.Description) string {
	var parts []string
	room := maxDescriptions
	for _, d := range descriptions {
		shown := text.Line(d.Text)
		if shown == "" {
			continue
		}
		part := text.Line(d.Category) + "=" + shown
		if room -= text.Units(part); room < 0 {
			break
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
