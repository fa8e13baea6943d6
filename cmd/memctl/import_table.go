package main

import (
	"fmt"
	"io"
	"strings"

	"memctl/exchange"
	"memctl/term"
	"memctl/text"
)

// extent is how much of a table is printed.
type extent int

const (
	// whole prints every row.
	whole extent = iota
	// short prints the first rows of each kind.
	short
)

// shortRows is how many rows of each state short prints.
const shortRows = 8

// printImportTable writes what becomes of each item of a source, by state, then the counts.
func printImportTable(s term.Screen, im *exchange.Import, extent extent) {
	t := term.Table{Columns: []term.Column{{Head: "STATE"}, categoryColumn, titleColumn,
		{Head: "WHERE", Style: term.Cyan, Cut: true}, {Head: "WHY", Cut: true}}}
	var items []*exchange.Item
	var more []string
	for _, state := range exchange.States {
		rows := 0
		for _, item := range im.Items {
			if item.State != state {
				continue
			}
			if rows++; extent == whole || rows <= shortRows {
				items = append(items, item)
			}
		}
		if hidden := rows - shortRows; extent == short && hidden > 0 {
			more = append(more, fmt.Sprintf("%d more %s", hidden, state))
		}
	}
	for _, item := range items {
		if s.IsTerminal() {
			t.Rows = append(t.Rows, []string{string(item.State), string(item.Category), importTitle(item),
				importPlace(item), importReason(item)})
			continue
		}
		fmt.Fprintf(s, "%-9s %-15s %s\n", item.State, item.Category, text.Printable(importTitle(item)))
		fmt.Fprintf(s, "%25s %s\n", "", text.Printable(joinNonEmpty(" <- ", item.Path,
			importOrigin(item, item.Origin))))
		if reason := importReason(item); reason != "" {
			fmt.Fprintf(s, "%25s %s\n", "", text.Printable(reason))
		}
	}
	if len(t.Rows) > 0 {
		t.Print(s)
	}
	for _, line := range more {
		fmt.Fprintln(s, line)
	}
	printImportCounts(s, im)
}

func importTitle(item *exchange.Item) string {
	if item.Title == "" {
		return text.OneLine(item.Text, 200)
	}
	return item.Title
}

// importPlace is where a person looks: at the memory that there is, else at the source.
func importPlace(item *exchange.Item) string {
	switch item.State {
	case exchange.Same, exchange.Changed, exchange.Similar:
		return item.Path
	}
	file, _, _ := strings.Cut(item.Origin, "#")
	return importOrigin(item, file)
}

// importReason says why an item is not new, or which memory a new one may be about.
func importReason(item *exchange.Item) string {
	if item.Near != "" && item.State == exchange.New {
		return "compare " + item.Near
	}
	return item.Reason
}

func importOrigin(item *exchange.Item, origin string) string {
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

// printImportCounts writes how many items there are of each state, what was removed, and what
// to do with drafts.
func printImportCounts(s io.Writer, im *exchange.Import) {
	fmt.Fprint(s, importDone(im))
	for _, state := range exchange.States[1:] {
		if n := im.Counts[state]; n > 0 {
			fmt.Fprintf(s, ", %d %s", n, state)
		}
	}
	fmt.Fprintln(s)
	if im.Counts[exchange.Similar] > 0 {
		fmt.Fprintln(s, "similar items say what the named memory says; --similar imports them too")
	}
	for _, sentence := range im.Privacy.Sentences() {
		fmt.Fprintln(s, sentence)
	}
	if im.Staged > 0 {
		fmt.Fprintf(s, draftsNext, text.Printable(im.Staging))
	}
}

// draftsNext says what to do with drafts.
const draftsNext = `
The drafts are kept for a day, in %s.
You:    "memctl stage list" lists them, "memctl stage show FILE" prints one, and
        "memctl create --category CATEGORY --input PATH" saves it.
Agent:  "Save what is worth keeping of the staged sessions: follow the skill
        memory-management for each triage-*-data.json of memctl stage list."
`

// importDone says what an import has written, or would write.
func importDone(im *exchange.Import) string {
	if im.DryRun || im.Written+im.Staged+im.Recorded == 0 {
		return fmt.Sprintf("%d new", im.Counts[exchange.New])
	}
	var parts []string
	if im.Staged > 0 {
		parts = append(parts, text.Plural(im.Staged, "draft", "drafts")+" staged")
	}
	if im.Recorded > 0 {
		parts = append(parts, text.Plural(im.Recorded, "tool run", "tool runs")+" recorded")
	}
	if im.Written > 0 {
		parts = append(parts, fmt.Sprintf("%d imported", im.Written))
	}
	return strings.Join(parts, ", ")
}
