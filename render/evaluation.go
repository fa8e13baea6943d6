package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"memctl/retrieve"
	"memctl/text"
)

// Evaluation writes a table of the figures, then the prompts that were answered
// wrongly.
func Evaluation(out io.Writer, e retrieve.Evaluation) {
	const columns = "%-16s %9v %7s %7s %9v %10s\n"
	fmt.Fprintf(out, "strategy: %s\n\n", e.Strategy)
	fmt.Fprintf(out, columns, "", "expecting", "recall", "first", "silent", "pollution")
	for _, k := range append(e.Kinds, retrieve.KindFigures{Kind: "all", Figures: e.All}) {
		if k.Kind != "" {
			fmt.Fprintf(out, columns, text.Printable(k.Kind), k.Expecting, share(k.Found, k.Expecting), share(k.First, k.Expecting), k.Silent, share(k.Polluted, k.Silent))
		}
	}
	if len(e.Misses) == 0 {
		return
	}
	fmt.Fprintln(out, "\nanswered wrongly (memctl explain PROMPT says why)")
	for _, m := range e.Misses {
		fmt.Fprintf(out, "  %s\n     wanted %s, got %s\n", text.Printable(text.Ellipsis(m.Prompt, 100)), ids(m.Expect), ids(m.Got))
	}
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

func ids(list []string) string {
	return cmp.Or(text.Printable(strings.Join(list, ", ")), "nothing")
}
