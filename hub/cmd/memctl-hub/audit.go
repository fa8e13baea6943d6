package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func auditCommand(std streams) *cli.Command {
	return group(
		newCommand(std, "audit", runAudit, dsnFlag(), hubFlag(), jsonFlag(),
			&cli.IntFlag{Name: "days", Usage: "the last `N` days alone"},
			&cli.StringFlag{Name: "user", Usage: "what the person `NAME` did alone"}),
		newCommand(std, "audit drop", runAuditDrop, dsnFlag(), jsonFlag(),
			&cli.IntFlag{Name: "days", Usage: "keep the last `N` days"}),
		newCommand(std, "audit erase", runAuditErase, dsnFlag(), jsonFlag()),
	)
}

// daysAgo is the time --days before now, the zero time if it is not set.
func daysAgo(c *cli.Context) (time.Time, error) {
	if !c.IsSet("days") {
		return time.Time{}, nil
	}
	if days := c.Int("days"); days < 0 || days > maxDays {
		return time.Time{}, console.Usagef("--days: expected 0 to %d, got %d", maxDays, days)
	}
	return time.Now().AddDate(0, 0, -c.Int("days")), nil
}

// runAudit prints a line of JSON for each row, with --json or without.
func runAudit(c *cli.Context, std streams) error {
	if c.Args().Present() {
		return unknownSubcommand(c, std)
	}
	since, err := daysAgo(c)
	if err != nil {
		return err
	}
	client, err := administered(c)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(std.Out)
	print := func(a hub.Audited) error { return lines.Encode(a) }
	q := hub.AuditQuery{Person: c.String("user"), Since: since}
	if client != nil {
		return hub.AskAudit(c.Context, client, q, print)
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error { return store.Audit(c.Context, q, print) })
}

// notOverAPI refuses --hub for what only the database can do.
func notOverAPI(c *cli.Context) error {
	if c.IsSet("hub") {
		return console.Usagef("this changes the database: --hub cannot be combined with it")
	}
	return nil
}

// changedRows is the answer of audit drop and audit erase.
type changedRows struct {
	Rows int `json:"rows"`
}

func printRows(does string) func(io.Writer, changedRows) {
	return func(out io.Writer, r changedRows) {
		fmt.Fprintf(out, "%s %s of the audit\n", does, text.Plural(r.Rows, "row", "rows"))
	}
}

func runAuditDrop(c *cli.Context, std streams) error {
	before, err := daysAgo(c)
	if err == nil {
		err = notOverAPI(c)
	}
	if err != nil {
		return err
	}
	if before.IsZero() {
		return console.Usagef("how much stays? --days is missing")
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		n, err := store.DropAudit(c.Context, before)
		if err != nil {
			return err
		}
		return printResult(c, std, changedRows{n}, printRows("removed"))
	})
}

func runAuditErase(c *cli.Context, std streams) error {
	if err := errors.Join(arguments(c, "a user", 1), notOverAPI(c)); err != nil {
		return err
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		n, err := store.ErasePerson(c.Context, c.Args().First())
		if err == nil && n == 0 {
			err = failure(errors.New("the hub knows no such person"), `run "memctl-hub audit" for the names`)
		}
		if err != nil {
			return err
		}
		return printResult(c, std, changedRows{n}, printRows("erased the name from"))
	})
}
