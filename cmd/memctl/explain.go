package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runExplain(c *cli.Context, std streams) error {
	if c.Bool("start") {
		return explainStart(c, std)
	}
	prompt := strings.Join(c.Args().Slice(), " ")
	if strings.TrimSpace(prompt) == "" {
		return console.Usagef("explain needs a prompt")
	}
	if c.Bool("sessions") {
		return explainSessions(c, std, prompt)
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	a.roots = store.ForPrompt(a.roots, a.searcher.Config)
	if a.searcher.Config.Retrieval.GivesOnce() {
		a.searcher.Had = observe.ReadGiven(c.String("session"))
	}
	a.searcher.Loaded = clients.RepeatedIn(a.roots[0], a.searcher.Config)
	return pagedFor(c, std, printExplanation)(readSources(c.Context, a.Store, a.roots,
		func(s retrieve.Sources) (retrieve.Explanation, error) {
			return a.searcher.Explain(c.Context, s, prompt, c.Int("left-out"))
		}))
}

// printExplanation says why the prompt gets what it gets, then writes how it was understood, and the
// memories with the points of each.
func printExplanation(out console.Screen, e retrieve.Explanation) {
	printWhy(out, e)
	fmt.Fprintf(out, "\nstrategy: %s\n", e.Strategy)
	if e.Terms == nil {
		fmt.Fprintf(out, "tokens: %s\n", cmp.Or(strings.Join(e.Tokens, " "), "none"))
	} else {
		printTerms(out, *e.Terms)
	}
	printAskedRoots(out, e)
	if e.Meaning != "" {
		fmt.Fprintf(out, "by words alone: %s\n", text.Printable(e.Meaning))
	}
	printExplained(out, "injected", e.Injected)
	printExplained(out, "left out", e.LeftOut)
}

// sharedWords is how many words a sentence names.
const sharedWords = 4

// printWhy writes a sentence for each memory that is injected, or one that says why there is none.
func printWhy(out console.Screen, e retrieve.Explanation) {
	missing := "has enough evidence"
	if e.Terms == nil {
		missing = "matches"
	}
	for _, x := range e.Injected {
		because := slices.Clone(x.Because)
		slices.SortStableFunc(because, func(a, b retrieve.Contribution) int { return cmp.Compare(b.Points, a.Points) })
		var words []string
		for _, c := range because {
			if c.Kind != "description" && c.Kind != "pair" && !slices.Contains(words, c.Token) && len(words) < sharedWords {
				words = append(words, c.Token)
			}
		}
		why := "it shares " + text.Printable(strings.Join(words, ", ")) + " with the prompt"
		if len(words) == 0 && x.Gate != nil && x.Gate.Cosine != nil {
			why = fmt.Sprintf("it is near the prompt in meaning (cosine %.2f)", *x.Gate.Cosine)
		}
		fmt.Fprintf(out, "%s: injected because %s.\n", text.Printable(x.Title), why)
	}
	switch {
	case e.Silent != "":
		fmt.Fprintf(out, "nothing is injected: %s\n", e.Silent)
	case len(e.Injected) == 0 && e.Had:
		fmt.Fprintln(out, "nothing is injected: the session already has the memories that match")
	case len(e.Injected) == 0:
		fmt.Fprintf(out, "nothing is injected: no active memory %s\n", missing)
	}
}

// printAskedRoots says which roots were asked, and how common the terms are among their memories.
func printAskedRoots(out io.Writer, e retrieve.Explanation) {
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
	fmt.Fprintf(out, "among their %s: %s\n", text.Plural(e.Frequencies.Memories, "memory", "memories"),
		strings.Join(counts, ", "))
}

func printTerms(out io.Writer, t text.Terms) {
	for _, part := range []struct {
		name  string
		terms []string
	}{{"topics", t.Topics}, {"common words", t.Common}, {"plain words", t.Plain}, {"words of paths", t.Places}, {"pairs", t.Pairs}} {
		if len(part.terms) > 0 {
			fmt.Fprintf(out, "%s: %s\n", part.name, strings.Join(part.terms, ", "))
		}
	}
}

func printExplained(out console.Screen, title string, list []retrieve.Explained) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, x := range list {
		fmt.Fprintf(out, "%s  ", shortScore(x.Score))
		out.Print(console.Bold, fmt.Sprintf("[%s] %s", x.Category.Display(), text.Printable(x.Title)))
		fmt.Fprintln(out)
		fmt.Fprintf(out, "      %s\n", text.Printable(x.Path))
		for _, kind := range []string{"title", "tag", "prefix", "description", "topic", "common", "plain", "path", "pair"} {
			printReason(out, kind, contributions(x, kind))
		}
		if x.Recency > 0 {
			printReason(out, "recency", "+1 updated "+day(x.UpdatedAt))
		}
		if g := x.Gate; g != nil {
			printReason(out, "meaning", meant(*g))
			printReason(out, "evidence", fmt.Sprintf("%.2f of %.2f needed: %s", g.Evidence, g.Needed,
				choose(g.Passed(), "enough", "too little")))
		}
		printReason(out, "left out:", x.LeftOut)
	}
}

// meant says how near a memory is in meaning, and what that changed.
func meant(g retrieve.Gate) string {
	if g.Words == nil {
		return ""
	}
	near := "not among the nearest"
	if g.Cosine != nil {
		near = fmt.Sprintf("cosine %.2f", *g.Cosine)
	}
	return fmt.Sprintf("%s: the evidence is %.2f by words alone, %.2f with it", near, *g.Words, g.Evidence)
}

func printReason(out io.Writer, kind, why string) {
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

// explainStart shows the digest of the project's memories and the user's.
func explainStart(c *cli.Context, std streams) error {
	if c.Args().Present() {
		return console.Usagef("explain --start takes no prompt")
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	e := startExplanation{Budget: a.searcher.Config.Retrieval.StartTokens, Memories: []startMemory{}}
	a.roots = store.ForPrompt(a.roots, a.searcher.Config)
	because := []string{"it fits", "it stands", "it names a file of this branch", "it was used last", "it changed last"}
	list, err := readSources(c.Context, a.Store, a.roots, func(s retrieve.Sources) (list []retrieve.Digested, err error) {
		list, _, err = hooks.StartDigest(c.Context, s, e.Budget, nil)
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
	return printPaged(c, std, e, printStart)
}

func printStart(out console.Screen, e startExplanation) {
	fmt.Fprintf(out, "%s in %d of %d tokens (retrieval.start_tokens)\n",
		text.Plural(len(e.Memories), "memory", "memories"), e.Tokens, e.Budget)
	for _, m := range e.Memories {
		out.Print(console.Bold, fmt.Sprintf("\n[%s] %s", m.Category.Display(), text.Printable(m.Title)))
		fmt.Fprintln(out)
		printReason(out, m.Because+":", m.Sentence)
	}
}
