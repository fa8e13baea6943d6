package render

import (
	"fmt"
	"io"

	"memctl/text"
	"memctl/triage"
)

// Triage writes the score of each category with the lines that count.
func Triage(out io.Writer, r triage.Report) {
	fmt.Fprintf(out, "%s: %s\n", text.Plural(r.Messages, "message", "messages"), r.Activity)
	for _, c := range r.Categories {
		verdict := "below"
		if c.Triggers {
			verdict = "save"
		} else if c.Score >= c.Threshold {
			verdict = "switched off"
		}
		fmt.Fprintf(out, "\n%-15s  %.2f of %.2f  %s\n", c.Category.Display(), c.Score, c.Threshold, verdict)
		for _, m := range c.Matches {
			words := m.Word
			if m.Booster != "" {
				words += " + " + m.Booster
			}
			fmt.Fprintf(out, "  %5d  %.2f  %s: %s\n", m.Line, m.Points, words, text.Printable(m.Text))
		}
	}
}
