package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const explainDescription = `Shows what the prompt hook would inject for PROMPT and why: for each memory every
token that counts, and for those left out the reason.

   title        +2  the token is a word of the title
   tag          +3  the token is a tag
   prefix       +1  the token begins a word of the title or a tag
   description      up to +2 for the description of the memory's category
   recency      +1  updated less than 31 days ago`

func explainCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "show why a prompt gets the memories it gets",
		ArgsUsage:   "PROMPT...",
		Description: explainDescription,
		Flags: []cli.Flag{
			rootFlag(),
			jsonFlag(),
			&cli.IntFlag{Name: "left-out", Value: 5, Usage: "show at most `N` memories that were left out"},
		},
		Action: func(c *cli.Context) error {
			prompt := strings.Join(c.Args().Slice(), " ")
			n := c.Int("left-out")
			switch {
			case strings.TrimSpace(prompt) == "":
				return usagef("explain needs a prompt")
			case n < 0 || n > maxLimit:
				return usagef("--left-out: expected 0 to %d, got %d", maxLimit, n)
			}
			root, cfg, err := findConfigured(c, std)
			if err != nil {
				return err
			}
			e, err := explain(c.Context, root, cfg, prompt, n)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return writeJSON(std.out, e)
			}
			return e.print(std.out, root)
		},
	}
}

// explanation is a ranking with its reasons.
type explanation struct {
	Prompt   string      `json:"prompt"`
	Strategy string      `json:"strategy"`
	Tokens   []string    `json:"tokens"`
	Silent   string      `json:"silent,omitempty"` // why the hook injects nothing at all
	Injected []explained `json:"injected"`
	LeftOut  []explained `json:"left_out"`
}

// explained is one memory of an explanation.
type explained struct {
	found
	Text        int                     `json:"text"`
	Description int                     `json:"description"`
	Recency     int                     `json:"recency"`
	Because     []retrieve.Contribution `json:"because"`
	LeftOut     string                  `json:"left_out,omitempty"`
}

// explain ranks twice: as the hook does, and over every status with room for
// what comes after the last place.
func explain(ctx context.Context, root memdir.Root, cfg schemas.Config, prompt string, leftOut int) (explanation, error) {
	limit := cfg.Retrieval.MaxInject
	q := retrieve.NewQuery(prompt, cfg.Descriptions, max(limit, 1), time.Now())
	e := explanation{
		Prompt:   prompt,
		Strategy: cfg.Retrieval.MatchStrategy,
		Tokens:   nonNil(q.Tokens),
		Silent:   silence(cfg, prompt, q),
		Injected: []explained{},
		LeftOut:  []explained{},
	}
	wide := q
	wide.Statuses = schemas.Statuses
	wide.Limit = limit + max(leftOut, 1)
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		results, err := rankOn(ctx, root, ix, wide)
		if err != nil {
			return err
		}
		because, err := retrieve.Explain(ctx, ix.DB, q, results)
		if err != nil {
			return err
		}
		e.fill(root, results, because, limit, leftOut)
		return nil
	})
	return e, err
}

// silence says why the hook would not even search; "" when it would.
func silence(cfg schemas.Config, prompt string, q retrieve.Query) string {
	if err := worthAsking(strings.TrimSpace(prompt)); err != nil {
		return err.Error()
	}
	if !cfg.Retrieval.Enabled || cfg.Retrieval.MaxInject == 0 {
		return errSwitchedOff.Error()
	}
	if len(q.Tokens) == 0 {
		return errNoTokens.Error()
	}
	return ""
}

func (e *explanation) fill(root memdir.Root, results []retrieve.Result, because map[string][]retrieve.Contribution, limit, leftOut int) {
	all := foundOf(root, results)
	for i, r := range results {
		x := explained{found: all[i], Text: r.Text, Description: r.Desc, Recency: r.Recent, Because: nonNil(because[r.Path])}
		switch {
		case r.Status != schemas.Active:
			x.LeftOut = "it is " + string(r.Status)
		case e.Silent != "":
			x.LeftOut = e.Silent
		case len(e.Injected) == limit:
			x.LeftOut = fmt.Sprintf("it ranks below the first %d (retrieval.max_inject)", limit)
		}
		if x.LeftOut == "" {
			e.Injected = append(e.Injected, x)
		} else if len(e.LeftOut) < leftOut {
			e.LeftOut = append(e.LeftOut, x)
		}
	}
}

func (e explanation) print(out io.Writer, root memdir.Root) error {
	tokens := "none"
	if len(e.Tokens) > 0 {
		tokens = strings.Join(e.Tokens, " ")
	}
	fmt.Fprintf(out, "strategy: %s\ntokens: %s\n", e.Strategy, tokens)
	if e.Silent != "" {
		fmt.Fprintf(out, "nothing is injected: %s\n", e.Silent)
	} else if len(e.Injected) == 0 {
		fmt.Fprintln(out, "nothing is injected: no active memory matches")
	}
	printExplained(out, "injected", e.Injected)
	printExplained(out, "left out", e.LeftOut)
	return nil
}

func printExplained(out io.Writer, title string, list []explained) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, x := range list {
		fmt.Fprintf(out, "%3d  [%s] %s\n     %s\n", x.Score, x.Category.Display(), text.Printable(x.Title), text.Printable(x.Path))
		for _, line := range x.reasons() {
			fmt.Fprintf(out, "     %s\n", text.Printable(line))
		}
	}
}

// reasons renders the contributions, one line a kind.
func (x explained) reasons() []string {
	var lines []string
	for _, kind := range []string{"title", "tag", "prefix", "description"} {
		var parts []string
		for _, c := range x.Because {
			if c.Kind == kind {
				parts = append(parts, contribution(c))
			}
		}
		if len(parts) > 0 {
			lines = append(lines, fmt.Sprintf("%-12s %s", kind, strings.Join(parts, ", ")))
		}
	}
	if sum := describedSum(x.Because); sum != float64(x.Description) {
		lines[len(lines)-1] += fmt.Sprintf(" (counts as %d)", x.Description)
	}
	if x.Recency > 0 {
		lines = append(lines, fmt.Sprintf("%-12s +1 updated %s", "recency", day(x.UpdatedAt)))
	}
	if x.LeftOut != "" {
		lines = append(lines, "left out:    "+x.LeftOut)
	}
	return lines
}

func contribution(c retrieve.Contribution) string {
	if c.Token == c.Matched {
		return fmt.Sprintf("%s +%g", c.Token, c.Points)
	}
	return fmt.Sprintf("%s… %s +%g", c.Token, c.Matched, c.Points)
}

func describedSum(list []retrieve.Contribution) float64 {
	sum := 0.0
	for _, c := range list {
		if c.Kind == "description" {
			sum += c.Points
		}
	}
	return sum
}
