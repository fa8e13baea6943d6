package exchange

import (
	"context"
	"fmt"
	"io"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Page writes the active memories as one HTML page without scripts. It returns their
// number.
func (x *Exporter) Page(ctx context.Context, out io.Writer) (int, error) {
	if _, err := io.WriteString(out, pageHead); err != nil {
		return 0, err
	}
	n, category := 0, schemas.Category("")
	err := x.active(ctx, func(m memory) error {
		var b strings.Builder
		folder, _, _ := strings.Cut(m.path, "/")
		if now, _ := schemas.CategoryOfFolder(folder); now != category {
			category = now
			fmt.Fprintf(&b, "<h2>%s</h2>\n", escaped(heading2(string(category))))
		}
		fmt.Fprintf(&b, "<article id=\"%s\">\n<h3>%s</h3>\n<p class=\"meta\">%s</p>\n", escaped(folder+"/"+m.ID), escaped(m.Title), escaped(strings.Join(append([]string{m.ID, m.UpdatedAt[:min(10, len(m.UpdatedAt))]}, m.Tags...), " · ")))
		for name, raw := range schemas.Members(m.Content) {
			if value, err := schemas.DecodeAny(raw); err == nil {
				htmlField(&b, name, value)
			}
		}
		var related strings.Builder
		for _, file := range m.RelatedFiles {
			if to, ok := linkedMemory(file); ok {
				fmt.Fprintf(&related, "<li><a href=\"#%s\">%s</a></li>", escaped(to), escaped(to))
			} else {
				fmt.Fprintf(&related, "<li><code>%s</code></li>", escaped(file))
			}
		}
		if related.Len() > 0 {
			fmt.Fprintf(&b, "<h4>Related</h4>\n<ul>%s</ul>\n", related.String())
		}
		b.WriteString("</article>\n")
		n++
		_, err := io.WriteString(out, b.String())
		return err
	})
	if err == nil {
		_, err = io.WriteString(out, "</body>\n</html>\n")
	}
	return n, err
}

func htmlField(b *strings.Builder, name string, value any) {
	list, isList := value.([]any)
	lines := markdownOf(value)
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "<h4>%s</h4>\n", escaped(heading2(name)))
	if !isList {
		fmt.Fprintf(b, "<p>%s</p>\n", escaped(strings.Join(lines, "\n")))
		return
	}
	b.WriteString("<ul>")
	for _, item := range list {
		fmt.Fprintf(b, "<li>%s</li>", escaped(strings.Join(inline(item), "; ")))
	}
	b.WriteString("</ul>\n")
}

func escaped(s string) string { return text.EscapeXML(text.Paragraph(s)) }

const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Memories</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
article { border-top: 1px solid #ccc; padding: .5rem 0; }
h3, h4 { margin: .6rem 0 .2rem; }
p { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.meta { color: #666; font-size: .85rem; }
li { overflow-wrap: anywhere; white-space: pre-wrap; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } article { border-color: #444; } .meta { color: #999; } a { color: #8bf; } }
</style>
</head>
<body>
<h1>Memories</h1>
`
