package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func auditCommand() *cli.Command {
	return group(
		newCommand("audit", runAudit, &cli.IntFlag{Name: "days", Usage: "the last `N` days alone"}),
		newCommand("audit drop", runAuditDrop, &cli.IntFlag{Name: "days", Usage: "keep the last `N` days"}),
		newCommand("audit erase", runAuditErase),
	)
}

// daysAgo is the time --days before now, the zero time if it is not set.
func daysAgo(c *cli.Context) (time.Time, error) {
	if !c.IsSet("days") {
		return time.Time{}, nil
	}
	days, err := daysArg(c)
	return time.Now().AddDate(0, 0, -days), err
}

// runAudit prints a line of JSON for each row, with --json or without.
func runAudit(c *cli.Context) error {
	if c.Args().Present() {
		return unknownSubcommand(c)
	}
	since, err := daysAgo(c)
	if err != nil {
		return err
	}
	client, err := administered(c)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(c.App.Writer)
	print := func(a hub.Audited) error { return lines.Encode(a) }
	q := hub.AuditQuery{Person: c.String("user"), Since: since}
	if client != nil {
		return remote.Administer(c.Context, client, hub.AuditOperation, q, print)
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error { return store.Audit(c.Context, q, print) })
}

// changeAudit prints how many rows of the audit a change changed.
func changeAudit(c *cli.Context, does string, change func(*hub.Store) (int, error)) error {
	type changedRows struct {
		Rows int `json:"rows"`
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		n, err := change(store)
		if err != nil {
			return err
		}
		return printResult(c, changedRows{n}, func(out io.Writer, r changedRows) {
			fmt.Fprintf(out, "%s %s of the audit\n", does, text.Plural(r.Rows, "row", "rows"))
		})
	})
}

func runAuditDrop(c *cli.Context) error {
	before, err := daysAgo(c)
	if err != nil {
		return err
	}
	if c.Int("days") < 1 {
		return console.Usagef("how much stays? expected --days 1 to %d", maxDays)
	}
	return changeAudit(c, "removed", func(store *hub.Store) (int, error) {
		return store.DropAudit(c.Context, before)
	})
}

func runAuditErase(c *cli.Context) error {
	if err := arguments(c, "a user", 1); err != nil {
		return err
	}
	return changeAudit(c, "erased the name from", func(store *hub.Store) (int, error) {
		n, err := store.ErasePerson(c.Context, c.Args().First())
		if err == nil && n == 0 {
			err = console.Refused(`run "memctl-hub audit" for the names`, "the hub knows no such person")
		}
		return n, err
	})
}
