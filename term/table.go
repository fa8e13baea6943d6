package term

import (
	"fmt"
	"slices"
	"strings"

	"memctl/text"
)

// Column describes a column of a table.
type Column struct {
	Head  string
	Style Style
	// Cut allows the table to cut the column's cells.
	Cut bool
	// Optional allows the table to leave the column out.
	Optional bool
}

// Tabulate prints a row for each element of a list on a terminal. It reports whether the screen is one.
func Tabulate[T any](s Screen, list []T, columns []Column, row func(T) []string) bool {
	if !s.IsTerminal() {
		return false
	}
	t := Table{Columns: columns}
	for _, element := range list {
		t.Rows = append(t.Rows, row(element))
	}
	t.Print(s)
	return true
}

const (
	gap = 2
	// leastCut is how many columns of a terminal a column that may be cut keeps, before
	// optional ones are left out.
	leastCut = 20
)

// Table is a table that fits into the width of a terminal. It leaves out the columns
// that are empty in every row.
type Table struct {
	Columns []Column
	Rows    [][]string
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
