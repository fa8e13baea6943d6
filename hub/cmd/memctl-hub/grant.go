package main

import (
	"fmt"
	"io"
	"os"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func grantCommand() *cli.Command {
	return group(
		newCommand("grant", runGrantFile),
		newCommand("grant add", runGrant(hub.AddGrant)),
		newCommand("grant remove", runGrant(hub.RemoveGrant)),
		newCommand("grant list", runList(hub.ListGrants, "no grants: no one sees anything",
			[]string{"PRINCIPAL", "REPOSITORIES", "MAY"}, grantRow)),
	)
}

// runGrant adds or removes a grant.
func runGrant(change hub.Operation[hub.Grant, hub.GrantChanges]) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := arguments(c, "a principal and a repository", 2); err != nil {
			return err
		}
		g := hub.Grant{Principal: c.Args().Get(0), Repositories: c.Args().Get(1), Publish: c.Bool("publish")}
		if err := g.Check(); err != nil {
			return console.Usagef("%w", err)
		}
		done, err := operate(c, change, g)
		switch {
		case err != nil:
			return err
		case done == hub.GrantChanges{}: // nothing was removed
			return console.Refused(`run "memctl-hub grant list": a grant is removed as it was added`,
				"%s has no grant for %s", g.Principal, g.Repositories)
		}
		return printResult(c, done, printChanges)
	}
}

func grantRow(g hub.Grant) []string {
	if g.Publish {
		return []string{g.Principal, g.Repositories, "read, publish"}
	}
	return []string{g.Principal, g.Repositories, "read"}
}

func runGrantFile(c *cli.Context) error {
	if c.Args().Present() || !c.IsSet("file") {
		return unknownSubcommand(c)
	}
	data, err := readFile(c, c.String("file"))
	if err != nil {
		return err
	}
	grants, err := hub.DecodeGrants(data)
	if err != nil {
		return console.Refused(`expected a list as "memctl-hub grant list --json" prints it`, "%s: %w",
			text.Printable(c.String("file")), err)
	}
	done, err := operate(c, hub.SetGrants, grants)
	if err != nil {
		return err
	}
	return printResult(c, done, printChanges)
}

// readFile reads a file of at most 1 MiB, or stdin for "-".
func readFile(c *cli.Context, name string) ([]byte, error) {
	const limit = 1 << 20
	in := c.App.Reader
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	data, err := console.Interruptible(c.Context, func() ([]byte, error) {
		return io.ReadAll(io.LimitReader(in, limit+1))
	})
	if err == nil && len(data) > limit {
		err = fmt.Errorf("more than %d MiB", limit>>20)
	}
	return data, err
}

func printChanges(out io.Writer, done hub.GrantChanges) {
	fmt.Fprintf(out, "%s added, %d changed, %d removed, %d unchanged\n",
		text.Plural(done.Added, "grant", "grants"), done.Changed, done.Removed, done.Unchanged)
}
