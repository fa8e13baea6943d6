package main

import (
	"strings"

	"memctl/cmd/console"
	"memctl/indexer"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const explainDescription = `Shows what the prompt hook would inject for PROMPT and why: for each memory every
token that counts, and for each memory that it leaves out the reason.

With the strategy hybrid, in units of one word that no other memory has:

   topic        a word that says what the prompt is about
   common       a thing that any program has: half evidence in the title, half in the tags
   plain        another word: it helps to order, and is evidence for preferences above all
   pair         two neighbours that stand side by side in the memory too
   evidence     compared with retrieval.hybrid.min_evidence

With the strategy title_tags:

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
			colorFlag(),
			strategyFlag(),
			&cli.IntFlag{
				Name:   "left-out",
				Value:  5,
				Usage:  "show at most `N` memories that were left out",
				Action: between("left-out", 0, maxLimit),
			},
		},
		Action: func(c *cli.Context) error {
			prompt := strings.Join(c.Args().Slice(), " ")
			if strings.TrimSpace(prompt) == "" {
				return console.Usagef("explain needs a prompt")
			}
			roots, searcher, err := findAsker(c, std)
			if err != nil {
				return err
			}
			if searcher.Config.Retrieval.UserShare == 0 {
				roots = roots[:1]
			}
			explanation, err := readSources(c.Context, std, roots, indexer.Full, func(s retrieve.Sources) (retrieve.Explanation, error) {
				return searcher.Explain(c.Context, s, prompt, c.Int("left-out"))
			})
			if err != nil {
				return err
			}
			return printPaged(c, std, explanation, render.Explanation)
		},
	}
}
