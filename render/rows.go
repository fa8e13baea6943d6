package render

import (
	"fmt"
	"strings"

	"memctl/text"
)

// Rows writes a table with a head for each column on a terminal, else a line for each row
// with tabs between its cells.
func Rows(s Screen, heads []string, rows [][]string) {
	if s.IsTerminal() {
		t := table{rows: rows}
		for i, head := range heads {
			t.columns = append(t.columns, column{head: head, cut: true, style: style(choose(i == 0, string(cyan), ""))})
		}
		t.print(s)
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
