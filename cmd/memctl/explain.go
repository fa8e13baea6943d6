package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runExplain(c *cli.Context, std command.Streams) error {
	if c.Bool("start") {
		return explainStart(c, std)
	}
	prompt := strings.Join(c.Args().Slice(), " ")
	if strings.TrimSpace(prompt) == "" {
		return console.Usagef("explain needs a prompt")
	}
	for _, f := range std.Features {
		for flag, explain := range f.Explains {
			if c.Bool(flag) {
				return explain(c, std, prompt)
			}
		}
	}
	a, err := command.FindAsker(c, std)
	if err != nil {
		return err
	}
	a.Roots = store.ForPrompt(a.Roots, a.Searcher.Config)
	if a.Searcher.Config.Retrieval.GivesOnce() {
		a.Searcher.Had = observe.ReadGiven(c.String("session"))
	}
	a.Searcher.Loaded = clients.RepeatedIn(a.Roots[0], a.Searcher.Config)
	return command.PagedFor(c, std, "explanation")(command.ReadSources(c.Context, a.Store, a.Roots,
		func(s retrieve.Sources) (retrieve.Explanation, error) {
			return a.Searcher.Explain(c.Context, s, prompt, c.Int("left-out"))
		}))
}

// sharedWords is how many words a sentence names.
const sharedWords = 4

func because(x retrieve.Explained) string {
	found := slices.Clone(x.Because)
	slices.SortStableFunc(found, func(a, b retrieve.Contribution) int { return cmp.Compare(b.Points, a.Points) })
	var words []string
	for _, c := range found {
		if c.Kind != "description" && c.Kind != "pair" && !slices.Contains(words, c.Token) && len(words) < sharedWords {
			words = append(words, c.Token)
		}
	}
	if len(words) == 0 && x.Gate != nil && x.Gate.Cosine != nil {
		return fmt.Sprintf("it is near the prompt in meaning (cosine %.2f)", *x.Gate.Cosine)
	}
	return "it shares " + text.Printable(strings.Join(words, ", ")) + " with the prompt"
}

type reason struct{ Kind, Why string }

func reasonsOf(x retrieve.Explained) (list []reason) {
	for _, kind := range []string{"title", "tag", "prefix", "description", "word", "pair"} {
		list = append(list, reason{kind, contributions(x, kind)})
	}
	if x.Recency > 0 {
		list = append(list, reason{"recency", "+1 updated " + command.Day(x.UpdatedAt)})
	}
	if g := x.Gate; g != nil {
		list = append(list, reason{"meaning", meant(*g)}, reason{"strength", fmt.Sprintf("%.2f of %.2f needed: %s",
			g.Strength, g.Needed, command.Choose(g.Passed(), "enough", "too little"))})
	}
	return append(list, reason{"left out:", x.LeftOut})
}

// meant says how near a memory is in meaning, and whether it needs less for it.
func meant(g retrieve.Gate) string {
	switch {
	case g.Cosine == nil:
		return ""
	case g.Place == 0:
		return fmt.Sprintf("cosine %.2f, not among the nearest", *g.Cosine)
	}
	return fmt.Sprintf("cosine %.2f, number %d of the nearest: its words need less", *g.Cosine, g.Place)
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

// startExplanation is the digest of a root, and why each memory is in it.
type startExplanation struct {
	Budget   int           `json:"budget"` // tokens
	Tokens   int           `json:"tokens"`
	Memories []startMemory `json:"memories"`
}

type startMemory struct {
	retrieve.Entry
	Sentence string `json:"sentence"`
	Because  string `json:"because"`
}

func explainStart(c *cli.Context, std command.Streams) error {
	if c.Args().Present() {
		return console.Usagef("explain --start takes no prompt")
	}
	a, err := command.FindAsker(c, std)
	if err != nil {
		return err
	}
	e := startExplanation{Budget: a.Searcher.Config.Retrieval.StartTokens, Memories: []startMemory{}}
	a.Roots = store.ForPrompt(a.Roots, a.Searcher.Config)
	because := []string{"it is for this folder", "it is new", "it stands", "it was used",
		"it names a file of this branch", "it is short"}
	list, err := command.ReadSources(c.Context, a.Store, a.Roots, func(s retrieve.Sources) (list []retrieve.Digested,
		err error) {
		list, _, err = hooks.StartDigest(c.Context, s, a.Searcher.Cwd, e.Budget, nil, a.Searcher.Config.Off())
		return list, err
	})
	if err != nil {
		return err
	}
	for _, m := range list {
		m.Scope = m.Root.Scope
		e.Memories = append(e.Memories, startMemory{m.Entry, m.Sentence, because[m.Tier]})
	}
	e.Tokens = retrieve.DigestCost(list)
	return command.PrintPaged(c, std, e, "start")
}
