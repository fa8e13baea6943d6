package main

import (
	"fmt"
	"io"

	"memctl/hub"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

const migrateDescription = `Makes the tables in an empty database, or brings them up to this version. Run it before
"serve" of a new version, as the role that is to own the tables: it needs CREATEROLE once,
because row security applies to a role, memctl_hub. PostgreSQL 15 or later; no extension.

   createdb hub
   memctl-hub migrate --dsn postgres://hub_owner@db.example.com/hub
   psql -d hub -c "CREATE ROLE hub_service LOGIN; GRANT memctl_hub TO hub_service"
   memctl-hub serve --dsn postgres://hub_service@db.example.com/hub

Where the new version splits text into other terms, it makes those of all memories again.
Servers of the old version then answer 503 until they are replaced. An older version
refuses to undo what a newer one made.

Exit status: 0 done, 1 refused, 2 wrong usage.`

func migrateCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "migrate",
		Usage:       "make the tables, or bring them up to date",
		Description: migrateDescription,
		Flags:       []cli.Flag{dsnFlag(), jsonFlag()},
		Before:      noArguments,
		Action:      func(c *cli.Context) error { return runMigrate(c, std) },
	}
}

// migrated is the answer of migrate.
type migrated struct {
	Reanalysed      bool `json:"reanalysed"` // the terms of all memories were made again
	AnalyserVersion int  `json:"analyser_version"`
}

func runMigrate(c *cli.Context, std streams) error {
	dsn, err := dsnArg(c)
	if err != nil {
		return err
	}
	if err := hub.Migrate(c.Context, dsn); err != nil {
		return err
	}
	done := migrated{AnalyserVersion: hub.AnalyserVersion}
	err = useStore(c, hub.Options{}, func(store *hub.Store) error {
		err := store.Ready(c.Context)
		if !isOtherAnalyser(err) {
			return err
		}
		term.Note(std.Err, "making the terms of all memories again")
		done.Reanalysed = true
		return store.Reanalyse(c.Context)
	})
	if err != nil {
		return err
	}
	return printResult(c, std, done, func(out io.Writer, m migrated) {
		fmt.Fprintln(out, "the tables are up to date")
		if m.Reanalysed {
			fmt.Fprintln(out, "the terms of all memories were made again")
		}
	})
}
