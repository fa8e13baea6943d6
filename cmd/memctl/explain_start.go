package main

import (
	"fmt"

	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

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

// explainStart shows the digest of the project's root. That of a session has the user's
// memories too, in the tokens that are left.
func explainStart(c *cli.Context, std streams) error {
	if c.Args().Present() {
		return console.Usagef("explain --start takes no prompt")
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	e := startExplanation{Budget: a.searcher.Config.Retrieval.StartTokens, Memories: []startMemory{}}
	because := []string{"", "it stands", "it names a file of this branch", "it was used last", "it changed last"}
	list, err := readSources(c.Context, a.Store, a.roots[:1], func(s retrieve.Sources) ([]retrieve.Digested, error) {
		return s[0].Digest(c.Context, hooks.DigestOf(a.roots[0], e.Budget))
	})
	if err != nil {
		return err
	}
	for _, m := range list {
		e.Memories = append(e.Memories, startMemory{m.Entry, m.Sentence, because[m.Tier]})
	}
	e.Tokens = retrieve.DigestCost(list)
	return printPaged(c, std, e, printStart)
}

func printStart(out term.Screen, e startExplanation) {
	fmt.Fprintf(out, "%s in %d of %d tokens (retrieval.start_tokens)\n",
		text.Plural(len(e.Memories), "memory", "memories"), e.Tokens, e.Budget)
	for _, m := range e.Memories {
		out.Print(term.Bold, fmt.Sprintf("\n[%s] %s", m.Category.Display(), text.Printable(m.Title)))
		fmt.Fprintln(out)
		printReason(out, m.Because+":", m.Sentence)
	}
}
