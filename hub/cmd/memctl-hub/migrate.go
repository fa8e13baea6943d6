package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/hub"

	"github.com/urfave/cli/v2"
)

func migrateCommand(std streams) *cli.Command {
	return newCommand(std, "migrate", runMigrate, dsnFlag(), jsonFlag())
}

// migrated is the answer of migrate.
type migrated struct {
	Reanalysed      bool `json:"reanalysed"` // the terms of all memories were made
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
		console.Note(std.Err, "making the terms of all memories for this version; hubs of the version before go on "+
			"with theirs")
		done.Reanalysed = true
		return store.Analyse(c.Context)
	})
	if err != nil {
		return err
	}
	return printResult(c, std, done, func(out io.Writer, m migrated) {
		fmt.Fprintln(out, "the tables are up to date")
		if m.Reanalysed {
			fmt.Fprintln(out, "the terms of all memories were made for this version")
		}
	})
}
