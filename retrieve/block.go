package retrieve

import (
	"strings"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// maxBlock is how many characters Claude Code takes from one hook; a longer text
// reaches the model as a pointer to a file.
const maxBlock = 10_000

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
	room := maxBlock - utf8.RuneCountInString(b.String()) - len(end)
	for _, r := range results {
		line := Line(r, shown)
		if room -= utf8.RuneCountInString(line); room < 0 {
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
	for _, d := range descriptions {
		if shown := text.Line(d.Text); shown != "" {
			parts = append(parts, text.Line(d.Category)+"="+shown)
		}
	}
	return strings.Join(parts, "; ")
}
