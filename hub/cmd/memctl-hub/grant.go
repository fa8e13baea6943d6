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
	grants, err := readList(c, "file", `as "memctl-hub grant list --json" prints it`, hub.DecodeGrants)
	if err != nil {
		return err
	}
	done, err := operate(c, hub.SetGrants, grants)
	if err != nil {
		return err
	}
	return printResult(c, done, printChanges)
}

// readList decodes the list in the file that a flag names, or in stdin for "-". It has at most 1 MiB.
func readList[T any](c *cli.Context, flag, example string, decode func([]byte) ([]T, error)) ([]T, error) {
	const limit = 1 << 20
	name, in := c.String(flag), c.App.Reader
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
	if err != nil {
		return nil, err
	}
	if len(data) > limit {
		return nil, fmt.Errorf("more than %d MiB", limit>>20)
	}
	list, err := decode(data)
	if err != nil {
		err = console.Refused("expected a list "+example, "%s: %w", text.Printable(name), err)
	}
	return list, err
}

func printChanges(out io.Writer, done hub.GrantChanges) {
	fmt.Fprintf(out, "%s added, %d changed, %d removed, %d unchanged\n",
		text.Plural(done.Added, "grant", "grants"), done.Changed, done.Removed, done.Unchanged)
}
