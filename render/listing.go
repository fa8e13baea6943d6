package render

import (
	"fmt"
	"math"

	"memctl/retrieve"
	"memctl/text"
)

// Listing writes a table on a terminal, else two lines for each memory.
func Listing(s Screen, list []retrieve.Item) {
	if s.IsTerminal() {
		listingTable(list).print(s)
		return
	}
	for _, m := range list {
		fmt.Fprintf(s, "%-10s  %-15s ", day(m.UpdatedAt), m.Category)
		s.print(bold, text.Printable(m.Title))
		fmt.Fprintln(s, statusNote(m.Status))
		fmt.Fprintf(s, "%28s%s%s\n", "", text.Printable(shownPath(m.Entry)), tagNote(m.Tags))
	}
}

func listingTable(list []retrieve.Item) table {
	t := table{columns: []column{projectColumn, idColumn, categoryColumn, updatedColumn, statusColumn, titleColumn}}
	for _, m := range list {
		t.rows = append(t.rows, []string{atHome(m.Project), m.Name, string(m.Category), day(m.UpdatedAt), unusual(m.Status), m.Title})
	}
	return t
}

// The columns that several tables have.
var (
	projectColumn  = column{head: "PROJECT", cut: true} // of an answer about all projects
	idColumn       = column{head: "ID", style: cyan, cut: true}
	scopeColumn    = column{head: "SCOPE"} // of an answer from several roots
	categoryColumn = column{head: "CATEGORY", optional: true}
	updatedColumn  = column{head: "UPDATED", optional: true}
	statusColumn   = column{head: "STATUS"}
	titleColumn    = column{head: "TITLE", cut: true}
)

// Index writes what a search found: on a terminal a table, else three lines for a
// memory, two for an observation.
func Index(s Screen, list []retrieve.IndexEntry) {
	if s.IsTerminal() {
		indexTable(list).print(s)
		return
	}
	for _, e := range list {
		relevance := fmt.Sprintf("relevance %.2f, %s", e.Relevance, day(e.UpdatedAt))
		if e.Type != retrieve.MemoryType {
			fmt.Fprintf(s, "   -  %-15s %s\n", e.Category, text.Printable(e.Summary))
			fmt.Fprintf(s, "      %-15s %s, %s\n", e.Type, relevance, text.Printable(e.ID))
			continue
		}
		fmt.Fprintf(s, "%s  %-15s ", score(e.Score), e.Category)
		s.print(bold, text.Printable(e.Title))
		fmt.Fprintln(s, statusNote(e.Status))
		fmt.Fprintf(s, "%22s%s%s\n", "", text.Printable(shownPath(e.Entry)), tagNote(e.Tags))
		fmt.Fprintf(s, "%22s%s: %s\n", "", relevance, text.Printable(e.Summary))
	}
}

func indexTable(list []retrieve.IndexEntry) table {
	t := table{columns: []column{{head: "RELEVANCE"}, projectColumn, idColumn, scopeColumn, categoryColumn, updatedColumn, statusColumn, titleColumn}}
	for _, e := range list {
		t.rows = append(t.rows, []string{fmt.Sprintf("%.2f", e.Relevance), atHome(e.Project), e.Name, string(e.Scope), string(e.Category), day(e.UpdatedAt), unusual(e.Status), e.Title})
	}
	return t
}

// shownPath is the path of a memory: absolute in an answer about all projects.
func shownPath(e retrieve.Entry) string {
	if e.Project == "" {
		return e.Path
	}
	return atHome(e.Path)
}

// score is four characters wide: "  12", or "0.83".
func score(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

// Timelines writes a table for each timeline on a terminal, else a line for each event.
// A blank line separates two timelines.
func Timelines(s Screen, list []retrieve.Timeline) {
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		if s.IsTerminal() {
			timelineTable(t).print(s)
			continue
		}
		for _, event := range t.Events {
			fmt.Fprintln(s, text.Printable(event.String()))
		}
	}
}

func timelineTable(tl retrieve.Timeline) table {
	t := table{columns: []column{{style: bold}, {head: "WHEN (UTC)"}, idColumn, {head: "CATEGORY", optional: true}, {head: "EVENT"}, titleColumn}}
	for _, e := range tl.Events {
		t.rows = append(t.rows, []string{choose(e.Target, ">", ""), minute(e.At), e.ID, e.Category, e.Event, e.Preview})
	}
	return t
}
