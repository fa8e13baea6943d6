package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// migrated is the answer of migrate.
type migrated struct {
	Reanalysed      int `json:"reanalysed"` // repositories whose terms were made again
	AnalyserVersion int `json:"analyser_version"`
}

func runMigrate(c *cli.Context) error {
	dsn, err := dsnArg(c)
	if err != nil {
		return err
	}
	if err := hub.Migrate(c.Context, dsn); err != nil {
		return err
	}
	done := migrated{AnalyserVersion: hub.AnalyserVersion}
	err = useStore(c, hub.Options{}, func(store *hub.Store) error {
		if err := store.Ready(c.Context); err != nil {
			return err
		}
		names, err := store.Unanalysed(c.Context)
		if done.Reanalysed = len(names); err != nil {
			return err
		}
		if len(names) > 0 {
			console.Note(c.App.ErrWriter, "making the terms of %s for this version; the hub answers meanwhile with "+
				"the terms that it has", text.Plural(len(names), "repository", "repositories"))
		}
		return store.Analyse(c.Context, names)
	})
	if err != nil {
		return err
	}
	return printResult(c, done, func(out io.Writer, m migrated) {
		fmt.Fprintln(out, "the tables are up to date")
		if m.Reanalysed > 0 {
			fmt.Fprintf(out, "the terms of %s were made for this version\n",
				text.Plural(m.Reanalysed, "repository", "repositories"))
		}
	})
}
