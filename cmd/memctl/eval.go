package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const evalDescription = `Puts each prompt of FILE to the ranking, as the prompt hook would, and compares what
it injects with what you expect. FILE (- for stdin) has one JSON object a line:

   {"prompt": "why is the parcel list slow?", "expect": ["offset-pagination-parcel-list"]}
   {"prompt": "run the build again", "expect": []}

expect holds ids of memories, none where the hook should stay silent; kind, a word of
your own, groups the table.

   recall     of the prompts that expect something: the share that gets one of it
   first      the share whose first memory is one of it
   pollution  of the prompts that expect nothing: the share that gets something`

func evalCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "eval",
		Usage:       "measure the ranking on prompts of your own",
		ArgsUsage:   "FILE",
		Description: evalDescription,
		Flags: []cli.Flag{
			rootFlag(),
			jsonFlag(),
			strategyFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("eval needs one FILE of prompts, or - for stdin")
			}
			cases, err := readCases(std.In, c.Args().First())
			if err != nil {
				return err
			}
			root, cfg, err := findRanking(c, std)
			if err != nil {
				return err
			}
			report, err := runEval(c.Context, root, newAsker(root, cfg, std), cases)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return writeJSON(std.Out, report)
			}
			report.print(std.Out)
			return nil
		},
	}
}

// evalCase is one line of the file.
type evalCase struct {
	Prompt string   `json:"prompt"`
	Expect []string `json:"expect"`
	Kind   string   `json:"kind,omitempty"`
}

func readCases(stdin io.Reader, name string) ([]evalCase, error) {
	in := stdin
	if name != "-" {
		file, _, err := memdir.OpenRegular(name)
		if err != nil {
			return nil, fmt.Errorf("read prompts: %w", err)
		}
		defer file.Close()
		in = file
	}
	lines, err := readLines(in)
	if err != nil {
		return nil, fmt.Errorf("read prompts: %w", err)
	}
	var cases []evalCase
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var c evalCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("read prompts: line %d: %w", i+1, err)
		}
		if strings.TrimSpace(c.Prompt) == "" {
			return nil, fmt.Errorf("read prompts: line %d: no prompt", i+1)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func runEval(ctx context.Context, root memdir.Root, asker retrieve.Asker, cases []evalCase) (evalReport, error) {
	report := evalReport{Strategy: asker.Config.Retrieval.MatchStrategy, Misses: []evalMiss{}}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		for _, c := range cases {
			var results []retrieve.Result
			if silence(asker.Config, c.Prompt, asker.Query(c.Prompt, 1)) == "" {
				var err error
				if results, err = retrieve.Fresh(ctx, root, ix, asker.Prompt(c.Prompt)); err != nil {
					return err
				}
			}
			report.add(c, results)
		}
		return nil
	})
	return report, err
}

// evalReport is what an evaluation found, as a whole and by kind.
type evalReport struct {
	Strategy string     `json:"strategy"`
	All      evalFigure `json:"all"`
	Kinds    []evalKind `json:"kinds"`
	Misses   []evalMiss `json:"misses"`
}

// evalFigure counts prompts.
type evalFigure struct {
	Expecting int `json:"expecting"` // prompts that expect something
	Found     int `json:"found"`
	First     int `json:"first"`
	Silent    int `json:"silent"` // prompts that expect nothing
	Polluted  int `json:"polluted"`
}

type evalKind struct {
	Kind string `json:"kind"`
	evalFigure
}

// evalMiss is a prompt that was answered wrongly.
type evalMiss struct {
	evalCase
	Got []string `json:"got"`
}

func (r *evalReport) add(c evalCase, results []retrieve.Result) {
	got := make([]string, len(results))
	for i, found := range results {
		got[i] = found.ID
	}
	hit := slices.IndexFunc(got, func(id string) bool { return slices.Contains(c.Expect, id) })
	r.All.add(len(c.Expect) > 0, hit, len(got))
	r.kind(c.Kind).add(len(c.Expect) > 0, hit, len(got))
	if hit < 0 && (len(c.Expect) > 0 || len(got) > 0) {
		r.Misses = append(r.Misses, evalMiss{c, got})
	}
}

func (r *evalReport) kind(name string) *evalFigure {
	i := slices.IndexFunc(r.Kinds, func(k evalKind) bool { return k.Kind == name })
	if i < 0 {
		i = len(r.Kinds)
		r.Kinds = append(r.Kinds, evalKind{Kind: name})
	}
	return &r.Kinds[i].evalFigure
}

func (f *evalFigure) add(expecting bool, hit, got int) {
	switch {
	case !expecting:
		f.Silent++
		f.Polluted += min(got, 1)
	case hit >= 0:
		f.Found++
		if hit == 0 {
			f.First++
		}
		fallthrough
	default:
		f.Expecting++
	}
}

func (r evalReport) print(out io.Writer) {
	fmt.Fprintf(out, "strategy: %s\n\n%-16s %9s %7s %7s %9s %10s\n", r.Strategy, "", "expecting", "recall", "first", "silent", "pollution")
	for _, k := range r.Kinds {
		if k.Kind != "" {
			k.print(out, k.Kind)
		}
	}
	r.All.print(out, "all")
	if len(r.Misses) == 0 {
		return
	}
	fmt.Fprintln(out, "\nanswered wrongly (memctl explain PROMPT says why)")
	for _, m := range r.Misses {
		fmt.Fprintf(out, "  %s\n     wanted %s, got %s\n", text.Printable(text.Ellipsis(m.Prompt, 100)), idList(m.Expect), idList(m.Got))
	}
}

func (f evalFigure) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%-16s %9d %7s %7s %9d %10s\n", text.Printable(name), f.Expecting, share(f.Found, f.Expecting), share(f.First, f.Expecting),
		f.Silent, share(f.Polluted, f.Silent))
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

func idList(ids []string) string {
	if len(ids) == 0 {
		return "nothing"
	}
	return text.Printable(strings.Join(ids, ", "))
}
