package render

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memctl/retrieve"
	"memctl/term"
	"memctl/text"
)

// Explanation writes how a prompt was understood, then the memories with the points
// of each.
func Explanation(out term.Screen, e retrieve.Explanation) {
	fmt.Fprintf(out, "strategy: %s\n", e.Strategy)
	missing := "matches"
	if e.Terms == nil {
		fmt.Fprintf(out, "tokens: %s\n", cmp.Or(strings.Join(e.Tokens, " "), "none"))
	} else {
		missing = "has enough evidence"
		terms(out, *e.Terms)
	}
	asked(out, e)
	switch {
	case e.Silent != "":
		fmt.Fprintf(out, "nothing is injected: %s\n", e.Silent)
	case len(e.Injected) == 0:
		fmt.Fprintf(out, "nothing is injected: no active memory %s\n", missing)
	}
	explained(out, "injected", e.Injected)
	explained(out, "left out", e.LeftOut)
}

// asked says which roots were asked, and how common the terms are among their memories.
func asked(out io.Writer, e retrieve.Explanation) {
	if len(e.Roots) > 0 {
		fmt.Fprintf(out, "roots: %s\n", text.Printable(strings.Join(e.Roots, ", ")))
	}
	if e.Frequencies == nil {
		return
	}
	var counts []string
	for _, term := range slices.Sorted(maps.Keys(e.Frequencies.Terms)) {
		counts = append(counts, fmt.Sprintf("%s %d", term, e.Frequencies.Terms[term]))
	}
	fmt.Fprintf(out, "among their %s: %s\n", text.Plural(e.Frequencies.Memories, "memory", "memories"), strings.Join(counts, ", "))
}

func terms(out io.Writer, t text.Terms) {
	for _, part := range []struct {
		name  string
		terms []string
	}{{"topics", t.Topics}, {"common words", t.Common}, {"plain words", t.Plain}, {"pairs", t.Pairs}} {
		if len(part.terms) > 0 {
			fmt.Fprintf(out, "%s: %s\n", part.name, strings.Join(part.terms, ", "))
		}
	}
}

func explained(out term.Screen, title string, list []retrieve.Explained) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, x := range list {
		fmt.Fprintf(out, "%s  ", score(x.Score))
		out.Print(term.Bold, fmt.Sprintf("[%s] %s", x.Category.Display(), text.Printable(x.Title)))
		fmt.Fprintln(out)
		fmt.Fprintf(out, "      %s\n", text.Printable(x.Path))
		for _, kind := range []string{"title", "tag", "prefix", "description", "topic", "common", "plain", "pair"} {
			reason(out, kind, contributions(x, kind))
		}
		if x.Recency > 0 {
			reason(out, "recency", "+1 updated "+day(x.UpdatedAt))
		}
		if g := x.Gate; g != nil {
			reason(out, "evidence", fmt.Sprintf("%.2f of %.2f needed: %s", g.Evidence, g.Needed, choose(g.Passed(), "enough", "too little")))
		}
		reason(out, "left out:", x.LeftOut)
	}
}

func reason(out io.Writer, kind, why string) {
	if why != "" {
		fmt.Fprintf(out, "      %-12s %s\n", kind, text.Printable(why))
	}
}

// contributions are those of one kind. Descriptions may count less than their sum.
func contributions(x retrieve.Explained, kind string) string {
	var parts []string
	sum := 0.0
	for _, c := range x.Because {
		if c.Kind != kind {
			continue
		}
		word := c.Token
		if c.Matched != c.Token {
			word += "… " + c.Matched
		}
		parts = append(parts, fmt.Sprintf("%s +%g", word, c.Points))
		sum += c.Points
	}
	joined := strings.Join(parts, ", ")
	if kind == "description" && sum != float64(x.Description) {
		joined += fmt.Sprintf(" (counts as %d)", x.Description)
	}
	return joined
}
