package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"memctl/observe"
	"memctl/retrieve"
	"memctl/term"
	"memctl/text"
)

// maxExcerpt is how many characters of a command or an error a line shows.
const maxExcerpt = 120

// Observations writes what tools did: a table on a terminal, else one line each, and a
// second one for an error.
func Observations(s term.Screen, list []retrieve.Observation) {
	if s.IsTerminal() {
		observationsTable(list).Print(s)
		return
	}
	for _, o := range list {
		fmt.Fprintf(s, "%s  %-6s  %-12s %s\n", second(o.Timestamp), outcome(o), text.Printable(o.Tool), excerpt(subject(o)))
		if o.Error != "" {
			fmt.Fprintf(s, "%30s%s\n", "", excerpt(o.Error))
		}
	}
}

func observationsTable(list []retrieve.Observation) term.Table {
	t := term.Table{Columns: []term.Column{idColumn, {Head: "WHEN (UTC)", Optional: true}, {Head: "RESULT"}, {Head: "TOOL", Optional: true}, {Head: "SUBJECT", Cut: true}, {Head: "ERROR", Cut: true}}}
	for _, o := range list {
		t.Rows = append(t.Rows, []string{o.EventID, minute(o.Timestamp), outcome(o), o.Tool, excerpt(subject(o)), excerpt(o.Error)})
	}
	return t
}

// subject is what a tool worked on.
func subject(o retrieve.Observation) string { return cmp.Or(o.Command, o.File, o.Pattern) }

func outcome(o retrieve.Observation) string {
	if o.Success == nil {
		return "unknown"
	}
	return choose(*o.Success, "ok", "failed")
}

// Fixes writes what failed and worked later.
func Fixes(out term.Screen, list []observe.Fix) {
	for _, fix := range list {
		fmt.Fprintf(out, "%s  %s\n", second(fix.FixedAt), excerpt(fix.Tool+" "+fix.Subject))
		fmt.Fprintf(out, "  failed %s: %s\n", text.Plural(fix.Failures, "time", "times"), excerpt(fix.Error))
		for _, step := range fix.Between {
			fmt.Fprintf(out, "  then: %s\n", excerpt(step))
		}
	}
}

// excerpt puts the beginning of a text on one line.
func excerpt(s string) string {
	return text.Ellipsis(text.Printable(strings.Join(strings.Fields(s), " ")), maxExcerpt)
}

// ToolStats writes a table of the tools, and what the privacy filter took out.
func ToolStats(out io.Writer, s retrieve.ToolStats) {
	const columns = "%-24s %8v %8v"
	fmt.Fprintf(out, "%s of %s, %s to %s\n\n", text.Plural(s.Observations, "run", "runs"), text.Plural(s.Sessions, "session", "sessions"), day(s.First), day(s.Last))
	fmt.Fprintf(out, columns+" %10s\n", "tool", "runs", "failed", "mean ms")
	for _, t := range s.Tools {
		mean := "-"
		if t.MeanMS != nil {
			mean = fmt.Sprintf("%.0f", *t.MeanMS)
		}
		fmt.Fprintf(out, columns+" %10s\n", text.Ellipsis(text.Printable(t.Tool), 24), t.Runs, t.Failures, mean)
	}
	fmt.Fprintf(out, columns+"\n\n", "total", s.Observations, s.Failures)
	fmt.Fprintf(out, "kept from the disk: %s", text.Plural(s.PrivateSections, "private section", "private sections"))
	for _, k := range s.Secrets {
		fmt.Fprintf(out, ", %d %s", k.Count, text.Printable(k.Kind))
	}
	fmt.Fprintln(out)
	if s.BrokenLines > 0 {
		fmt.Fprintf(out, "left out: %s; memctl validate names them\n", text.Plural(s.BrokenLines, "broken line", "broken lines"))
	}
}
