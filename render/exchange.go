package render

import (
	"fmt"
	"io"
	"strings"

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
	t := table{columns: []column{{head: "STATE"}, categoryColumn, titleColumn, {head: "WHERE", style: cyan, cut: true}, {head: "WHY", cut: true}}}
	var items []exchange.Item
	var more []string
	for _, state := range exchange.States {
		rows := 0
		for _, item := range im.Items {
			if item.State != state {
				continue
			}
			if rows++; extent == Whole || rows <= shortRows {
				items = append(items, item)
			}
		}
		if hidden := rows - shortRows; extent == Short && hidden > 0 {
			more = append(more, fmt.Sprintf("%d more %s", hidden, state))
		}
	}
	for _, item := range items {
		if s.IsTerminal() {
			t.rows = append(t.rows, []string{string(item.State), string(item.Category), importTitle(item), importPlace(item), item.Reason})
			continue
		}
		fmt.Fprintf(s, "%-9s %-15s %s\n", item.State, item.Category, text.Printable(importTitle(item)))
		fmt.Fprintf(s, "%25s %s\n", "", text.Printable(joinNonEmpty(" <- ", item.Path, importOrigin(item, item.Origin))))
		if item.Reason != "" {
			fmt.Fprintf(s, "%25s %s\n", "", text.Printable(item.Reason))
		}
	}
	if len(t.rows) > 0 {
		t.print(s)
	}
	for _, line := range more {
		fmt.Fprintln(s, line)
	}
	ImportCounts(s, im)
}

func importTitle(item exchange.Item) string {
	if item.Title == "" {
		return text.OneLine(item.Text, 200)
	}
	return item.Title
}

// importPlace is where a person looks: at the memory that there is, else at the source.
func importPlace(item exchange.Item) string {
	switch item.State {
	case exchange.Same, exchange.Changed, exchange.Similar:
		return item.Path
	}
	file, _, _ := strings.Cut(item.Origin, "#")
	return importOrigin(item, file)
}

func importOrigin(item exchange.Item, origin string) string {
	if item.Line == 0 {
		return origin
	}
	return fmt.Sprintf("%s:%d", origin, item.Line)
}

func joinNonEmpty(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// ImportCounts writes how many items there are of each state, and what was removed.
func ImportCounts(s io.Writer, im *exchange.Import) {
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
