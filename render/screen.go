package render

import (
	"io"

	"memctl/text"

	"github.com/clipperhouse/displaywidth"
)

// Screen is where a command prints for a person: a terminal, a pipe or a file.
type Screen struct {
	out   io.Writer
	width int // in columns, 0 for a pipe or a file
	color bool
}

// NewScreen returns a screen that prints to out. The width is in columns, 0 if out is
// not a terminal.
func NewScreen(out io.Writer, width int, color bool) Screen { return Screen{out, width, color} }

// IsTerminal reports whether the screen is a terminal.
func (s Screen) IsTerminal() bool { return s.width > 0 }

// Write removes what is not printable. It takes whole characters.
func (s Screen) Write(p []byte) (int, error) {
	_, err := io.WriteString(s.out, text.Paragraph(string(p)))
	return len(p), err
}

// style is an escape sequence that changes how a terminal shows text, "" for none.
type style string

const (
	bold   style = "\x1b[1m"
	faint  style = "\x1b[2m"
	cyan   style = "\x1b[36m"
	normal style = "\x1b[0m"
)

// print writes text in a style. Only its own escape sequences reach a terminal.
func (s Screen) print(st style, printed string) {
	printed = text.Paragraph(printed)
	if s.color && st != "" && printed != "" {
		printed = string(st) + printed + string(normal)
	}
	_, _ = io.WriteString(s.out, printed)
}

// columns is how many columns of a terminal s takes. A Korean character takes two.
func columns(s string) int { return displaywidth.String(s) }

// cutTo cuts s to a width in columns. An ellipsis stands for what was cut.
func cutTo(s string, width int) string { return displaywidth.TruncateString(s, width, "…") }
