// Package console is the common part of the programs in cmd: how they read their command
// line, write to a stream or a terminal (colours, tables that fit its width, a progress bar,
// notes and errors), and end. It does not know memories; what a command prints stands
// beside the command.
//
// What prints does not return the errors of its writer. A writer that can fail has to
// remember its first error.
package console

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"memctl/text"

	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
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

// Style is an escape sequence that changes how a terminal shows text, "" for none.
type Style string

const (
	Bold   Style = "\x1b[1m"
	Faint  Style = "\x1b[2m"
	Cyan   Style = "\x1b[36m"
	Red    Style = "\x1b[31m"
	Green  Style = "\x1b[32m"
	Yellow Style = "\x1b[33m"
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

// marked begins a text in a style that Mark has put into a longer one, and unmarked ends it.
const marked, unmarked = "\x01", "\x02"

var marks = []Style{Bold, Faint, Cyan, Red, Green, Yellow}

// Mark returns printed as a part of a text that PrintMarked writes.
func Mark(st Style, printed string) string {
	return marked + string('0'+rune(slices.Index(marks, st))) + printed + unmarked
}

// PrintMarked writes a text whose marked parts have a style. A terminal gets lines that fit it.
func (s Screen) PrintMarked(printed string) {
	if s.IsTerminal() {
		var fitting strings.Builder
		for line := range strings.Lines(printed) {
			fitting.WriteString(wrap(line, s.width))
		}
		printed = fitting.String()
	}
	before, rest, _ := strings.Cut(printed, marked)
	s.Print("", before)
	for part := range strings.SplitSeq(rest, marked) {
		styled, after, _ := strings.Cut(part, unmarked)
		if styled != "" {
			s.Print(marks[styled[0]-'0'], styled[1:])
		}
		s.Print("", after)
	}
}

// columns is how many columns of a terminal s takes. A Korean character takes two.
func columns(s string) int { return displaywidth.String(s) }

// cutTo cuts s to a width in columns, between words if that leaves half of it. An ellipsis stands for what was cut.
// An id is one word: the more is left of it, the fewer memories it fits.
func cutTo(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	kept := strings.TrimSuffix(displaywidth.TruncateString(s, width, "…"), "…")
	if end := strings.LastIndexByte(s[:len(kept)+1], ' '); end >= len(kept)/2 {
		kept = kept[:end]
	}
	return strings.TrimRight(kept, " ") + "…"
}

// wrap breaks a line that is longer than the width of a terminal between words. The rest stands below the line's last
// column that begins in its left half, or below its first word.
func wrap(line string, width int) string {
	rest := strings.TrimLeft(line, " ")
	gap := line[:len(line)-len(rest)]
	at, below := 0, len(gap)
	var b strings.Builder
	for rest != "" {
		word := rest[:wordEnd(rest)]
		wide := columns(word) - strings.Count(word, marked) // the number of its style
		if end := at + len(gap) + wide; end > width && at > below && below+wide <= width {
			at, gap = 0, strings.Repeat(" ", below)
			b.WriteString("\n")
		}
		b.WriteString(gap + word)
		at += len(gap) + wide
		next := strings.TrimLeft(rest[len(word):], " ")
		gap, rest = rest[len(word):len(rest)-len(next)], next
		if len(gap) > 1 && at+len(gap) <= width/2 {
			below = at + len(gap)
		}
	}
	return b.String()
}

// wordEnd is where the first word of s ends. What is faint or cyan is there to be copied, such as a command, and is
// one word.
func wordEnd(s string) int {
	copied := false
	for i := range len(s) {
		switch {
		case s[i] == marked[0]:
			copied = slices.Contains([]Style{Faint, Cyan}, marks[s[i+1]-'0'])
		case s[i] == unmarked[0]:
			copied = false
		case s[i] == ' ' && !copied:
			return i
		}
	}
	return len(s)
}

// Column describes a column of a table.
type Column struct {
	Head  string
	Style Style
	// Cut allows the table to cut the column's cells.
	Cut bool
	// Optional allows the table to leave the column out.
	Optional bool
}

const (
	gap = 2
	// leastCut is how many columns of a terminal a column that may be cut keeps, before
	// optional ones are left out.
	leastCut = 28
)

// Table is a table that fits into the width of a terminal. It leaves out the columns
// that are empty in every row.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// TableOf reads a table: a line of heads with bars between them, and then a line for each row, with tabs
// between its cells. Words after a head say how its column looks: bold, faint, cyan, cut, optional.
func TableOf(lines string) (t Table) {
	heads, rows, _ := strings.Cut(lines, "\n")
	for head := range strings.SplitSeq(heads, "|") {
		var c Column
		for word := range strings.FieldsSeq(head) {
			switch word {
			case "bold":
				c.Style = Bold
			case "faint":
				c.Style = Faint
			case "cyan":
				c.Style = Cyan
			case "cut":
				c.Cut = true
			case "optional":
				c.Optional = true
			default:
				c.Head = strings.TrimSpace(c.Head + " " + word)
			}
		}
		t.Columns = append(t.Columns, c)
	}
	for row := range strings.Lines(rows) {
		t.Rows = append(t.Rows, strings.Split(strings.TrimSuffix(row, "\n"), "\t"))
	}
	return t
}

// Print writes a head for each column, and then the rows.
func (t Table) Print(s Screen) {
	for i, row := range t.Rows {
		for j, cell := range row {
			t.Rows[i][j] = text.Printable(cell)
		}
	}
	widths := t.fit(s.width)
	t.printRow(s, widths, func(i int) (string, Style) { return t.Columns[i].Head, Faint })
	for _, row := range t.Rows {
		t.printRow(s, widths, func(i int) (string, Style) { return row[i], t.Columns[i].Style })
	}
}

// printRow prints the cells of the columns that have a width. The last one is not padded.
func (t Table) printRow(s Screen, widths []int, cell func(i int) (string, Style)) {
	padding := 0
	for i, width := range widths {
		if width == 0 {
			continue
		}
		printed, st := cell(i)
		printed = cutTo(printed, width)
		if printed != "" {
			s.Print("", strings.Repeat(" ", padding))
			s.Print(st, printed)
			padding = 0
		}
		padding += width - columns(printed) + gap
	}
	s.Print("", "\n")
}

// fit returns the width of each column, 0 for one that is left out. The widest columns
// are cut first, optional columns left out from the right.
func (t Table) fit(width int) []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			widths[i] = max(widths[i], columns(row[i]))
		}
		if widths[i] > 0 {
			widths[i] = max(widths[i], columns(c.Head))
		}
	}
	for i, c := range slices.Backward(t.Columns) {
		if c.Optional && t.total(widths, leastCut) > width {
			widths[i] = 0
		}
	}
	for t.total(widths, 0) > width {
		widest := -1
		for i, c := range t.Columns {
			if c.Cut && widths[i] > 1 && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// total is the width of the table. If least is not 0, columns that may be cut count at
// most that.
func (t Table) total(widths []int, least int) int {
	total := -gap
	for i, width := range widths {
		if width == 0 {
			continue
		}
		if t.Columns[i].Cut && least > 0 {
			width = min(width, least)
		}
		total += width + gap
	}
	return total
}

// Rows writes a table with a head for each column on a terminal, else a line for each row
// with tabs between its cells.
func Rows(s Screen, heads []string, rows [][]string) {
	if s.IsTerminal() {
		t := Table{Rows: rows}
		for _, head := range heads {
			t.Columns = append(t.Columns, Column{Head: head, Cut: true})
		}
		t.Columns[0].Style = Cyan
		t.Print(s)
		return
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = text.Printable(cell)
		}
		fmt.Fprintln(s, strings.Join(cells, "\t"))
	}
}

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
	if s, ok := stream.(*Stderr); ok {
		stream = s.Writer
	}
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"
}

// drawsOn reports whether lines can be drawn on a stream, and drawn again.
func drawsOn(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	return ok && IsTerminal(file) && Styles(file)
}

// clearLine removes what stands on the line of the cursor.
const clearLine = "\r\x1b[K"

// Progress returns a function that draws a bar on a terminal. For any other stream
// it returns nil.
func Progress(out io.Writer, doing string) func(done, total int) {
	stderr, ok := out.(*Stderr)
	if !ok || !drawsOn(stderr.Writer) {
		return nil
	}
	var drawn time.Time
	return func(done, total int) {
		if done == total {
			fmt.Fprint(out, clearLine)
			stderr.set(time.Now())
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
