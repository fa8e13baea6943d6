package main

import (
	"fmt"

	"memctl/cmd/console"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func runCandidate(c *cli.Context, std streams) error {
	if !c.IsSet("category") {
		return console.Usagef("candidate needs --category: one of %s", categoryNames())
	}
	category, err := readCategory(c.String("category"))
	if err != nil {
		return err
	}
	if !c.IsSet("new-info") {
		return console.Usagef("candidate needs --new-info: the text, or - for stdin")
	}
	a, err := findAsker(c, std)
	if err != nil {
		return err
	}
	info := c.String("new-info")
	if info == "-" {
		data, err := writer.ReadAtMost(std.In)
		if err != nil {
			return fmt.Errorf("read --new-info from stdin: %w", err)
		}
		info = string(data)
	}
	a.Depth = store.Quick
	return inJSON[retrieve.Proposal](std)(readSources(c.Context, a.Store, a.roots,
		func(s retrieve.Sources) (retrieve.Proposal, error) {
			return s.Propose(c.Context, a.searcher, category, info, c.String("lifecycle-event"))
		}))
}
