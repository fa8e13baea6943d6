package render

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	barWidth = 12 // the whole line then fits into 40 columns
	barEvery = 100 * time.Millisecond
)

// IsTerminal reports whether a stream is a terminal that can show a progress bar or
// a question.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// Progress returns a function that draws a bar on a terminal. For any other stream
// it returns nil.
func Progress(out io.Writer, doing string) func(done, total int) {
	if !IsTerminal(out) {
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
			fmt.Fprintf(out, "\r%s %s%s %d of %d", doing, strings.Repeat("█", filled), strings.Repeat("░", barWidth-filled), done, total)
		}
	}
}
