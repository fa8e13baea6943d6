// Package term writes to a terminal: colours, tables that fit its width, a progress bar,
// notes and errors. It knows nothing of memories; what a command prints stands beside the
// command.
//
// Its functions do not return the errors of their writer. A writer that can fail has to
// remember its first error.
package term

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

// Through returns the same screen behind a filter of what is printed.
func (s Screen) Through(filter func(io.Writer) io.Writer) Screen {
	s.out = filter(s.out)
	return s
}

// Write removes what is not printable. It takes whole characters.
func (s Screen) Write(p []byte) (int, error) {
	_, err := io.WriteString(s.out, text.Paragraph(string(p)))
	return len(p), err
}

// Style is an escape sequence that changes how a terminal shows text, "" for none.
type Style string

const (
	Bold   Style = "\x1b[1m"
	Faint  Style = "\x1b[2m"
	Cyan   Style = "\x1b[36m"
	normal Style = "\x1b[0m"
)

// Print writes text in a style. Only its own escape sequences reach a terminal.
func (s Screen) Print(st Style, printed string) {
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
