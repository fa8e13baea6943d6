package render

import (
	"fmt"
	"math"

	"memctl/retrieve"
	"memctl/term"
	"memctl/text"
)

// Listing writes a table on a terminal, else two lines for each memory.
func Listing(s term.Screen, list []retrieve.Item) {
	if s.IsTerminal() {
		listingTable(list).Print(s)
		return
	}
	for _, m := range list {
		fmt.Fprintf(s, "%-10s  %-15s ", day(m.UpdatedAt), m.Category)
		s.Print(term.Bold, text.Printable(m.Title))
		fmt.Fprintln(s, statusNote(m.Status))
		fmt.Fprintf(s, "%28s%s%s\n", "", text.Printable(shownPath(m.Entry)), tagNote(m.Tags))
	}
}

func listingTable(list []retrieve.Item) term.Table {
	t := term.Table{Columns: []term.Column{projectColumn, idColumn, categoryColumn, updatedColumn, statusColumn, titleColumn}}
	for _, m := range list {
		t.Rows = append(t.Rows, []string{atHome(m.Project), m.Name, string(m.Category), day(m.UpdatedAt), unusual(m.Status), m.Title})
	}
	return t
}

// The columns that several tables have.
var (
	projectColumn  = term.Column{Head: "PROJECT", Cut: true} // of an answer about all projects
	idColumn       = term.Column{Head: "ID", Style: term.Cyan, Cut: true}
	scopeColumn    = term.Column{Head: "SCOPE"} // of an answer from several roots
	categoryColumn = term.Column{Head: "CATEGORY", Optional: true}
	updatedColumn  = term.Column{Head: "UPDATED", Optional: true}
	statusColumn   = term.Column{Head: "STATUS"}
	titleColumn    = term.Column{Head: "TITLE", Cut: true}
)

// Index writes what a search found: on a terminal a table, else three lines for a
// memory, two for an observation.
func Index(s term.Screen, list []retrieve.IndexEntry) {
	if s.IsTerminal() {
		indexTable(list).Print(s)
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
		s.Print(term.Bold, text.Printable(e.Title))
		fmt.Fprintln(s, statusNote(e.Status))
		fmt.Fprintf(s, "%22s%s%s\n", "", text.Printable(shownPath(e.Entry)), tagNote(e.Tags))
		fmt.Fprintf(s, "%22s%s: %s\n", "", relevance, text.Printable(e.Summary))
	}
}

func indexTable(list []retrieve.IndexEntry) term.Table {
	t := term.Table{Columns: []term.Column{{Head: "RELEVANCE"}, projectColumn, idColumn, scopeColumn, categoryColumn, updatedColumn, statusColumn, titleColumn}}
	for _, e := range list {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%.2f", e.Relevance), atHome(e.Project), e.Name, string(e.Scope), string(e.Category), day(e.UpdatedAt), unusual(e.Status), e.Title})
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
func Timelines(s term.Screen, list []retrieve.Timeline) {
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(s)
		}
		if s.IsTerminal() {
			timelineTable(t).Print(s)
			continue
		}
		for _, event := range t.Events {
			fmt.Fprintln(s, text.Printable(event.String()))
		}
	}
}

func timelineTable(tl retrieve.Timeline) term.Table {
	t := term.Table{Columns: []term.Column{{Style: term.Bold}, {Head: "WHEN (UTC)"}, idColumn, {Head: "CATEGORY", Optional: true}, {Head: "EVENT"}, titleColumn}}
	for _, e := range tl.Events {
		t.Rows = append(t.Rows, []string{choose(e.Target, ">", ""), minute(e.At), e.ID, e.Category, e.Event, e.Preview})
	}
	return t
}
