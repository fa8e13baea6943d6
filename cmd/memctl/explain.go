package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"memctl/hooks"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const explainDescription = `Shows what the prompt hook would inject for PROMPT and why: for each memory every
token that counts, and for those left out the reason.

With the strategy hybrid, in units of one word that no other memory has:

   topic        a word that says what the prompt is about
   plain        another word: it helps to order, but is no evidence
   pair         two neighbours that stand side by side in the memory too
   ending       two syllables of a plain Korean word
   evidence     what is held against retrieval.hybrid.min_evidence

With the strategy title_tags:

   title        +2  the token is a word of the title
   tag          +3  the token is a tag
   prefix       +1  the token begins a word of the title or a tag
   description      up to +2 for the description of the memory's category
   recency      +1  updated less than 31 days ago`

// unconvincing is how many memories may rank higher than one that is injected,
// and yet have too little evidence.
const unconvincing = 100

func explainCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "show why a prompt gets the memories it gets",
		ArgsUsage:   "PROMPT...",
		Description: explainDescription,
		Flags: []cli.Flag{
			rootFlag(),
			jsonFlag(),
			strategyFlag(),
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
			root, cfg, err := findRanking(c, std)
			if err != nil {
				return err
			}
			e, err := explain(c.Context, root, newAsker(root, cfg, std), prompt, n)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return writeJSON(std.Out, e)
			}
			return e.print(std.Out, root)
		},
	}
}

// explanation is a ranking with its reasons.
type explanation struct {
	Prompt   string      `json:"prompt"`
	Strategy string      `json:"strategy"`
	Tokens   []string    `json:"tokens"`
	Terms    *text.Terms `json:"terms,omitempty"`  // hybrid's, for tokens
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
	Gate        *gate                   `json:"gate,omitempty"` // hybrid's
	Because     []retrieve.Contribution `json:"because"`
	LeftOut     string                  `json:"left_out,omitempty"`
}

// gate is why a memory is relevant enough, or is not.
type gate struct {
	Evidence float64 `json:"evidence"`
	Needed   float64 `json:"needed"`
}

func (g gate) passed() bool { return g.Evidence >= g.Needed }

func (g gate) String() string {
	verdict := "enough"
	if !g.passed() {
		verdict = "too little"
	}
	return fmt.Sprintf("%.2f of %.2f needed: %s", g.Evidence, g.Needed, verdict)
}

// explain ranks over every status, with room for what comes after the last place.
func explain(ctx context.Context, root memdir.Root, asker retrieve.Asker, prompt string, leftOut int) (explanation, error) {
	cfg := asker.Config
	limit := cfg.Retrieval.MaxInject
	q := asker.Query(prompt, max(limit, 1))
	e := explanation{
		Prompt:   prompt,
		Strategy: cfg.Retrieval.MatchStrategy,
		Tokens:   nonNil(q.Tokens),
		Silent:   silence(cfg, prompt, q),
		Injected: []explained{},
		LeftOut:  []explained{},
	}
	if q.Strategy == schemas.Hybrid {
		t := q.Terms
		e.Terms = &text.Terms{Topics: nonNil(t.Topics), Plain: nonNil(t.Plain), Pairs: nonNil(t.Pairs), Endings: nonNil(t.Endings)}
	}
	wide := q
	wide.Statuses = schemas.Statuses
	wide.Limit = limit + max(leftOut, 1)
	if q.Strategy == schemas.Hybrid {
		wide.Limit += unconvincing
	}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		results, err := retrieve.Fresh(ctx, root, ix, wide)
		if err != nil {
			return err
		}
		because, err := retrieve.Explain(ctx, ix.DB, q, results)
		if err != nil {
			return err
		}
		e.fill(root, results, because, cfg.Retrieval, leftOut)
		return nil
	})
	return e, err
}

// silence says why the hook would not even search; "" when it would.
func silence(cfg schemas.Config, prompt string, q retrieve.Query) string {
	err := hooks.CheckPrompt(strings.TrimSpace(prompt))
	if err == nil {
		err = hooks.CheckQuery(cfg, q)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func (e *explanation) fill(root memdir.Root, results []retrieve.Result, because map[string][]retrieve.Contribution, cfg schemas.RetrievalConfig, leftOut int) {
	all := foundOf(root, results)
	for i, r := range results {
		x := explained{found: all[i], Text: r.Text, Description: r.Desc, Recency: r.Recent, Because: nonNil(because[r.Path])}
		if cfg.MatchStrategy == schemas.Hybrid {
			x.Gate = &gate{r.Evidence, cfg.Hybrid.MinEvidence}
		}
		switch {
		case r.Status != schemas.Active:
			x.LeftOut = "it is " + string(r.Status)
		case e.Silent != "":
			x.LeftOut = e.Silent
		case x.Gate != nil && !x.Gate.passed():
			x.LeftOut = "too little evidence (retrieval.hybrid.min_evidence)"
		case len(e.Injected) == cfg.MaxInject:
			x.LeftOut = fmt.Sprintf("it ranks below the first %d (retrieval.max_inject)", cfg.MaxInject)
		}
		if x.LeftOut == "" {
			e.Injected = append(e.Injected, x)
		} else if len(e.LeftOut) < leftOut {
			e.LeftOut = append(e.LeftOut, x)
		}
	}
}

func (e explanation) missing() string {
	if e.Terms != nil {
		return "has enough evidence"
	}
	return "matches"
}

func (e explanation) print(out io.Writer, root memdir.Root) error {
	tokens := "none"
	if len(e.Tokens) > 0 {
		tokens = strings.Join(e.Tokens, " ")
	}
	fmt.Fprintf(out, "strategy: %s\n", e.Strategy)
	if e.Terms == nil {
		fmt.Fprintf(out, "tokens: %s\n", tokens)
	} else {
		printTerms(out, *e.Terms)
	}
	if e.Silent != "" {
		fmt.Fprintf(out, "nothing is injected: %s\n", e.Silent)
	} else if len(e.Injected) == 0 {
		fmt.Fprintln(out, "nothing is injected: no active memory "+e.missing())
	}
	printExplained(out, "injected", e.Injected)
	printExplained(out, "left out", e.LeftOut)
	return nil
}

func printTerms(out io.Writer, t text.Terms) {
	for _, part := range []struct {
		name  string
		terms []string
	}{{"topics", t.Topics}, {"plain words", t.Plain}, {"pairs", t.Pairs}, {"endings", t.Endings}} {
		if len(part.terms) > 0 {
			fmt.Fprintf(out, "%s: %s\n", part.name, strings.Join(part.terms, ", "))
		}
	}
}

func printExplained(out io.Writer, title string, list []explained) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, x := range list {
		fmt.Fprintf(out, "%s  [%s] %s\n      %s\n", shownScore(x.Score), x.Category.Display(), text.Printable(x.Title), text.Printable(x.Path))
		for _, line := range x.reasons() {
			fmt.Fprintf(out, "      %s\n", text.Printable(line))
		}
	}
}

// reasons renders the contributions, one line a kind.
func (x explained) reasons() []string {
	var lines []string
	for _, kind := range []string{"title", "tag", "prefix", "description", "topic", "plain", "pair", "ending"} {
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
	if x.Gate != nil {
		lines = append(lines, fmt.Sprintf("%-12s %s", "evidence", x.Gate))
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
