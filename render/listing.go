package render

import (
	"fmt"
	"io"
	"math"

	"memctl/retrieve"
	"memctl/text"
)

// Listing writes two lines for each memory.
func Listing(out io.Writer, list []retrieve.Item) {
	for _, m := range list {
		fmt.Fprintf(out, "%-10s  %-15s %s%s\n", day(m.UpdatedAt), m.Category, text.Printable(m.Title), statusNote(m.Status))
		fmt.Fprintf(out, "%28s%s%s\n", "", text.Printable(m.Path), tagNote(m.Tags))
	}
}

// Index writes what a search found: three lines for a memory, two for an observation.
func Index(out io.Writer, list []retrieve.IndexEntry) {
	for _, e := range list {
		relevance := fmt.Sprintf("relevance %.2f, %s", e.Relevance, day(e.UpdatedAt))
		if e.Type != retrieve.MemoryType {
			fmt.Fprintf(out, "   -  %-15s %s\n", e.Category, text.Printable(e.Summary))
			fmt.Fprintf(out, "      %-15s %s, %s\n", e.Type, relevance, text.Printable(e.ID))
			continue
		}
		fmt.Fprintf(out, "%s  %-15s %s%s\n", score(e.Score), e.Category, text.Printable(e.Title), statusNote(e.Status))
		fmt.Fprintf(out, "%22s%s%s\n", "", text.Printable(e.Path), tagNote(e.Tags))
		fmt.Fprintf(out, "%22s%s: %s\n", "", relevance, text.Printable(e.Summary))
	}
}

// score is four characters wide: "  12", or "0.83".
func score(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

// Timelines writes a line for each event, and a blank line between two timelines.
func Timelines(out io.Writer, list []retrieve.Timeline) {
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		for _, event := range t.Events {
			fmt.Fprintln(out, text.Printable(event.String()))
		}
	}
}
