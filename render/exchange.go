package render

import (
	"fmt"

	"memctl/exchange"
	"memctl/text"
)

// Extent is how much of a table is printed.
type Extent int

const (
	// Whole prints every row.
	Whole Extent = iota
	// Short prints the first rows of each kind.
	Short
)

// shortRows is how many rows of each state Short prints.
const shortRows = 8

// Import writes what becomes of each item of a source, by state, then the counts.
func Import(s Screen, im *exchange.Import, extent Extent) {
	t := table{columns: []column{{head: "STATE"}, {head: "CATEGORY", optional: true}, {head: "TITLE", cut: true}, {head: "MEMORY", style: cyan, cut: true}, {head: "FROM", cut: true, optional: true}, {head: "WHY", cut: true}}}
	var more []string
	for _, state := range exchange.States {
		rows := 0
		for _, item := range im.Items {
			if item.State != state {
				continue
			}
			if rows++; extent == Whole || rows <= shortRows {
				t.rows = append(t.rows, importRow(item))
			}
		}
		if hidden := rows - shortRows; extent == Short && hidden > 0 {
			more = append(more, fmt.Sprintf("%d more %s", hidden, state))
		}
	}
	switch {
	case len(t.rows) == 0:
	case s.IsTerminal():
		t.print(s)
	default:
		for _, row := range t.rows {
			fmt.Fprintf(s, "%-9s %-15s %s\n", row[0], text.Printable(row[1]), text.Printable(row[2]))
			fmt.Fprintf(s, "%25s %s\n", "", text.Printable(joinNonEmpty(" <- ", row[3], row[4])))
			if row[5] != "" {
				fmt.Fprintf(s, "%25s %s\n", "", text.Printable(row[5]))
			}
		}
	}
	for _, line := range more {
		fmt.Fprintln(s, line)
	}
	importCounts(s, im)
}

func importRow(item exchange.Item) []string {
	title := item.Title
	if title == "" {
		title = text.OneLine(item.Text, 200)
	}
	from := item.Origin
	if item.Line > 0 {
		from += fmt.Sprintf(":%d", item.Line)
	}
	return []string{string(item.State), string(item.Category), title, item.Path, from, item.Reason}
}

func joinNonEmpty(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

func importCounts(s Screen, im *exchange.Import) {
	done := fmt.Sprintf("%d imported", im.Written)
	if im.DryRun || im.Written == 0 {
		done = fmt.Sprintf("%d new", im.Counts[exchange.New])
	}
	fmt.Fprint(s, done)
	for _, state := range exchange.States[1:] {
		if n := im.Counts[state]; n > 0 {
			fmt.Fprintf(s, ", %d %s", n, state)
		}
	}
	fmt.Fprintln(s)
	for _, sentence := range im.Privacy.Sentences() {
		fmt.Fprintln(s, sentence)
	}
}
