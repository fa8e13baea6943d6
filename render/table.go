package render

import (
	"slices"
	"strings"

	"memctl/text"
)

// column describes a column of a table.
type column struct {
	head string
	style
	// cut allows the table to cut the column's cells.
	cut bool
	// optional allows the table to leave the column out.
	optional bool
}

const (
	gap = 2
	// leastCut is how many columns of a terminal a column that may be cut keeps, before
	// optional ones are left out.
	leastCut = 20
)

// table is a table that fits into the width of a terminal. It leaves out the columns
// that are empty in every row.
type table struct {
	columns []column
	rows    [][]string
}

func (t table) print(s Screen) {
	for i, row := range t.rows {
		for j, cell := range row {
			t.rows[i][j] = text.Printable(cell)
		}
	}
	widths := t.fit(s.width)
	t.printRow(s, widths, func(i int) (string, style) { return t.columns[i].head, faint })
	for _, row := range t.rows {
		t.printRow(s, widths, func(i int) (string, style) { return row[i], t.columns[i].style })
	}
}

// printRow prints the cells of the columns that have a width. The last one is not padded.
func (t table) printRow(s Screen, widths []int, cell func(i int) (string, style)) {
	padding := 0
	for i, width := range widths {
		if width == 0 {
			continue
		}
		printed, st := cell(i)
		printed = cutTo(printed, width)
		if printed != "" {
			s.print("", strings.Repeat(" ", padding))
			s.print(st, printed)
			padding = 0
		}
		padding += width - columns(printed) + gap
	}
	s.print("", "\n")
}

// fit returns the width of each column, 0 for one that is left out. The widest columns
// are cut first, optional columns left out from the right.
func (t table) fit(width int) []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		for _, row := range t.rows {
			widths[i] = max(widths[i], columns(row[i]))
		}
		if widths[i] > 0 {
			widths[i] = max(widths[i], columns(c.head))
		}
	}
	for i, c := range slices.Backward(t.columns) {
		if c.optional && t.total(widths, leastCut) > width {
			widths[i] = 0
		}
	}
	for t.total(widths, 0) > width {
		widest := -1
		for i, c := range t.columns {
			if c.cut && widths[i] > 1 && (widest < 0 || widths[i] > widths[widest]) {
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
func (t table) total(widths []int, least int) int {
	total := -gap
	for i, width := range widths {
		if width == 0 {
			continue
		}
		if t.columns[i].cut && least > 0 {
			width = min(width, least)
		}
		total += width + gap
	}
	return total
}
