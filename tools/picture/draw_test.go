package picture

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels. A character is as wide as the fonts below have it.
const (
	fontSize       = 14
	characterWidth = 8.43
	lineHeight     = 20
	margin         = 24
)

// The colours of a dark terminal.
const (
	background = "#1e1e2e"
	plain      = "#cdd6f4"
	grey       = "#7f849c"
	green      = "#a6e3a1"
)

// noBreakSpace is a space that an SVG keeps where there are several.
const noBreakSpace = "\u00a0"

// draw makes a picture of a screen, from the prompt on.
func draw(screen string) []byte {
	if at := strings.Index(screen, "❯"); at > 0 {
		screen = screen[at:]
	}
	lines := strings.Split(strings.TrimSpace(screen), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(line))
	}
	width := int(float64(columns)*characterWidth) + 2*margin
	height := len(lines)*lineHeight + 2*margin

	var out strings.Builder
	fmt.Fprintf(&out,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n",
		width, height)
	out.WriteString("<title>A prompt in Claude Code receives the memories that it is about</title>\n")
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="10" fill="%s"/>`+"\n", background)
	fmt.Fprintf(&out,
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d">`+"\n", fontSize)
	said := false // by a hook, in the lines before
	for i, line := range lines {
		said = isSaid(line, said)
		if strings.TrimSpace(line) == "" {
			continue
		}
		y := margin + (i+1)*lineHeight - lineHeight/4
		fmt.Fprintf(&out, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", margin, y, color(line, said),
			html.EscapeString(strings.ReplaceAll(line, " ", noBreakSpace)))
	}
	out.WriteString("</g>\n</svg>\n")
	return []byte(out.String())
}

// isSaid reports whether a line is a hook's. The client indents what follows such a line.
func isSaid(line string, before bool) bool {
	if strings.HasPrefix(strings.TrimSpace(line), "⎿") {
		return true
	}
	return before && strings.HasPrefix(line, "     ")
}

// color is grey for the client's small print, except where memctl names memories.
func color(line string, said bool) string {
	switch {
	case strings.Contains(line, "UserPromptSubmit says: memctl:"):
		return green
	case said, strings.HasPrefix(line, "● Ran "):
		return grey
	}
	return plain
}
