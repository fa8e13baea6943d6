package main

import (
	"fmt"
	"slices"

	"memctl/clients"
	"memctl/memdir"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

// offeredRoot is the user's root that install --scope user makes if the user wants it.
type offeredRoot struct {
	root   memdir.Root
	wanted bool
}

// askForUserRoot offers to make the user's root if memctl is installed for all projects and
// there is none. It asks on a terminal only.
func askForUserRoot(c *cli.Context, std streams, all []*installation) (offer offeredRoot, err error) {
	if !slices.ContainsFunc(all, func(in *installation) bool { return in.Scope == clients.UserScope && !in.DryRun }) {
		return offer, nil
	}
	root, planned, err := memdir.FindOrPlanUser()
	if err != nil || !planned || !canAsk(std) {
		return offer, nil // doctor reports an error
	}
	offer.root = root
	offer.wanted, err = ask(c.Context, std, fmt.Sprintf(`Make a memory root for what holds in every project, such as your style, tools and language?
  where: %s
  later: memctl init --user`, root.Shown), true)
	return offer, err
}

func (o offeredRoot) make(std streams) error {
	if !o.wanted {
		return nil
	}
	if _, err := memdir.Init(o.root.Path); err != nil {
		return err
	}
	term.Note(std.Err, "made the memory root %s for your own memories", o.root.Shown)
	return nil
}
