package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const grantDescription = `Says who may read which repositories. A principal is user:NAME, group:NAME or everyone,
which is each person with a valid token. In a repository's name * stands for any
characters, slashes too: write github.com/acme/* for all of acme, and quote it.

   memctl-hub grant add group:payments 'github.com/acme/payments*'
   memctl-hub grant add --publish user:ci-payments github.com/acme/payments
   memctl-hub grant remove group:payments 'github.com/acme/payments*'
   memctl-hub grant list --json > grants.json
   memctl-hub grant --file grants.json

A grant holds for repositories that are published later, too. --file makes the grants
those of a file, in one transaction: what the file does not have is removed. "-" is stdin.

Exit status: 0 done, 1 refused, 2 wrong usage.`

func grantCommand(std streams) *cli.Command {
	publish := &cli.BoolFlag{Name: "publish", Usage: "may publish these repositories, too"}
	return &cli.Command{
		Name:        "grant",
		Usage:       "say who may read and publish which repositories",
		Description: grantDescription,
		Flags:       []cli.Flag{dsnFlag(), jsonFlag(), &cli.StringFlag{Name: "file", Usage: "make the grants those of `FILE`"}},
		Action:      func(c *cli.Context) error { return runGrantFile(c, std) },
		Subcommands: []*cli.Command{
			{
				Name: "add", Usage: "add a grant, or change whether it lets publish", ArgsUsage: "PRINCIPAL REPOSITORIES",
				Flags:  []cli.Flag{dsnFlag(), jsonFlag(), publish},
				Action: func(c *cli.Context) error { return runGrant(c, std, (*hub.Store).Grant) },
			},
			{
				Name: "remove", Usage: "remove a grant", ArgsUsage: "PRINCIPAL REPOSITORIES",
				Flags:  []cli.Flag{dsnFlag(), jsonFlag()},
				Action: func(c *cli.Context) error { return runGrantRemove(c, std) },
			},
			{
				Name: "list", Usage: "list all grants",
				Flags:  []cli.Flag{dsnFlag(), jsonFlag()},
				Before: noArguments,
				Action: func(c *cli.Context) error { return runGrantList(c, std) },
			},
		},
	}
}

func grantArg(c *cli.Context) (hub.Grant, error) {
	g := hub.Grant{Principal: c.Args().Get(0), Repositories: c.Args().Get(1), Publish: c.Bool("publish")}
	if err := arguments(c, "a principal and a repository", 2); err != nil {
		return g, err
	}
	if err := g.Check(); err != nil {
		return g, console.Usagef("%w", err)
	}
	return g, nil
}

func runGrant(c *cli.Context, std streams, change func(*hub.Store, context.Context, hub.Grant) (hub.GrantChanges, error)) error {
	g, err := grantArg(c)
	if err != nil {
		return err
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		done, err := change(store, c.Context, g)
		if err != nil {
			return err
		}
		return printResult(c, std, done, printChanges)
	})
}

func runGrantRemove(c *cli.Context, std streams) error {
	g, err := grantArg(c)
	if err != nil {
		return err
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		done, err := store.Revoke(c.Context, g)
		if err != nil {
			return err
		}
		if done.Removed == 0 {
			return &console.Failure{
				Err:  fmt.Errorf("%s has no grant for %s", g.Principal, g.Repositories),
				Hint: `run "memctl-hub grant list": a grant is removed as it was added`,
				Code: console.ExitFailed,
			}
		}
		return printResult(c, std, done, printChanges)
	})
}

func runGrantList(c *cli.Context, std streams) error {
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		grants, err := store.Grants(c.Context)
		if err != nil {
			return err
		}
		if len(grants) == 0 && !c.Bool("json") {
			term.Note(std.Err, "no grants: no one sees anything")
		}
		return printTable(c, std, grants, []string{"PRINCIPAL", "REPOSITORIES", "MAY"}, func(g hub.Grant) []string {
			if g.Publish {
				return []string{g.Principal, g.Repositories, "read, publish"}
			}
			return []string{g.Principal, g.Repositories, "read"}
		})
	})
}

func runGrantFile(c *cli.Context, std streams) error {
	if c.Args().Present() || !c.IsSet("file") {
		return unknownSubcommand(c)
	}
	data, err := readFile(c, std, c.String("file"))
	if err != nil {
		return err
	}
	grants, err := hub.DecodeGrants(data)
	if err != nil {
		return &console.Failure{
			Err:  fmt.Errorf("%s: %w", text.Printable(c.String("file")), err),
			Hint: `expected a list as "memctl-hub grant list --json" prints it`,
			Code: console.ExitFailed,
		}
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		done, err := store.SetGrants(c.Context, grants)
		if err != nil {
			return err
		}
		return printResult(c, std, done, printChanges)
	})
}

// readFile reads a small file, or stdin for "-".
func readFile(c *cli.Context, std streams, name string) ([]byte, error) {
	if name == "-" {
		return console.Interruptible(c.Context, func() ([]byte, error) { return writer.ReadAtMost(std.In) })
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return writer.ReadAtMost(file)
}

func printChanges(out io.Writer, done hub.GrantChanges) {
	fmt.Fprintf(out, "%s added, %d changed, %d removed, %d unchanged\n", text.Plural(done.Added, "grant", "grants"), done.Changed, done.Removed, done.Unchanged)
}
