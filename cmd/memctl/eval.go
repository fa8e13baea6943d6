package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"memctl/cmd/console"
	"memctl/gate"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func evalCommand(std streams) *cli.Command {
	return newCommand(std, "eval", runEval, rootFlag(), jsonFlag(), strategyFlag())
}

func runEval(c *cli.Context, std streams) error {
	if c.NArg() != 1 {
		return console.Usagef("eval needs one FILE of prompts, or - for stdin")
	}
	cases, err := readCases(std.In, c.Args().First())
	if err != nil {
		return fmt.Errorf("read prompts: %w", err)
	}
	s, err := openStore(c, std)
	if err != nil {
		return err
	}
	root, err := s.Root()
	if err != nil {
		return err
	}
	searcher, err := searcherOf(c, s, root)
	if err != nil {
		return err
	}
	result, err := evaluate(c.Context, root, searcher, cases)
	if err != nil {
		return err
	}
	return printResult(c, std, result, printEvaluation)
}

func readCases(stdin io.Reader, name string) ([]evalCase, error) {
	if name == "-" {
		return parseCases(stdin)
	}
	file, _, err := gate.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseCases(file)
}

// printEvaluation writes a table of the figures, then the prompts that were answered
// wrongly.
func printEvaluation(out io.Writer, e evaluation) {
	const columns = "%-16s %9v %7s %7s %9v %10s\n"
	fmt.Fprintf(out, "strategy: %s\n\n", e.Strategy)
	fmt.Fprintf(out, columns, "", "expecting", "recall", "first", "silent", "pollution")
	for _, k := range append(e.Kinds, kindFigures{Kind: "all", figures: e.All}) {
		if k.Kind != "" {
			fmt.Fprintf(out, columns, text.Printable(k.Kind), k.Expecting, shareOf(k.Found, k.Expecting),
				shareOf(k.First, k.Expecting), k.Silent, shareOf(k.Polluted, k.Silent))
		}
	}
	if len(e.Misses) == 0 {
		return
	}
	fmt.Fprintln(out, "\nanswered wrongly (memctl explain PROMPT says why)")
	for _, m := range e.Misses {
		fmt.Fprintf(out, "  %s\n     wanted %s, got %s\n", text.Printable(text.Ellipsis(m.Prompt, 100)),
			idList(m.Expect), idList(m.Got))
	}
}

func shareOf(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

func idList(list []string) string {
	return cmp.Or(text.Printable(strings.Join(list, ", ")), "nothing")
}
