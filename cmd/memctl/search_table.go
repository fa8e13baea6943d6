package main

import (
	"fmt"
	"math"

	"memctl/retrieve"
	"memctl/term"
	"memctl/text"
)

// printIndex writes what a search found: on a terminal a table, else three lines for a
// memory, two for an observation.
func printIndex(s term.Screen, list []retrieve.IndexEntry) {
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
		fmt.Fprintf(s, "%s  %-15s ", shortScore(e.Score), e.Category)
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

// shortScore is four characters wide: "  12", or "0.83".
func shortScore(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}
