package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

const (
	barWidth = 12 // the whole line then fits into 40 columns
	barEvery = 100 * time.Millisecond
)

// TerminalSize returns the size of a terminal in columns and lines, 80 by 24 if it does
// not say.
func TerminalSize(terminal *os.File) (columns, lines int) {
	columns, lines, err := term.GetSize(int(terminal.Fd()))
	if err != nil || columns <= 0 || lines <= 0 {
		return 80, 24
	}
	return columns, lines
}

// LinesOn returns how many lines text takes on a terminal of that many columns, which
// wraps long ones.
func LinesOn(width int, text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n += max(1, (unstyled.String(line)+width-1)/width)
	}
	return n
}

// unstyled measures text without its escape sequences.
var unstyled = displaywidth.Options{ControlSequences: true}

// IsTerminal reports whether a stream is a terminal that can show a progress bar or
// a question.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// Progress returns a function that draws a bar on a terminal. For any other stream
// it returns nil.
func Progress(out io.Writer, doing string) func(done, total int) {
	if !IsTerminal(out) || !Styles(out.(*os.File)) {
		return nil
	}
	var drawn time.Time
	return func(done, total int) {
		if done == total {
			fmt.Fprint(out, "\r\x1b[K")
			return
		}
		if now := time.Now(); now.Sub(drawn) >= barEvery {
			drawn = now
			filled := barWidth * done / total
			fmt.Fprintf(out, "\r%s %s%s %d of %d", doing, strings.Repeat("█", filled),
				strings.Repeat("░", barWidth-filled), done, total)
		}
	}
}
