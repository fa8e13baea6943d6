package main

import (
	"errors"
	"os"

	"memctl/cmd/console"
	"memctl/hub"

	"github.com/urfave/cli/v2"
)

// dsnVariable names the database where no flag does.
const dsnVariable = "MEMCTL_HUB_DSN"

func dsnFlag() cli.Flag {
	return &cli.StringFlag{Name: "dsn", Usage: "use the PostgreSQL database at `DSN`, else the one in $" + dsnVariable}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print JSON, for programs"}
}

// dsnArg returns the connection string, whose flag may stand before or after the command.
func dsnArg(c *cli.Context) (string, error) {
	for _, level := range c.Lineage() {
		if level.IsSet("dsn") {
			return level.String("dsn"), nil
		}
	}
	if dsn := os.Getenv(dsnVariable); dsn != "" {
		return dsn, nil
	}
	return "", &console.Failure{
		Err:  errors.New("no database is named"),
		Hint: "set " + dsnVariable + ", or pass --dsn: postgres://USER:PASSWORD@HOST/DATABASE",
		Code: console.ExitUsage,
	}
}

// useStore runs fn on the store that the command line names.
func useStore(c *cli.Context, o hub.Options, fn func(*hub.Store) error) error {
	dsn, err := dsnArg(c)
	if err != nil {
		return err
	}
	store, err := hub.Open(c.Context, dsn, o)
	if err != nil {
		return err
	}
	defer store.Close()
	return fn(store)
}

// arguments returns an error unless there is one argument for each name.
func arguments(c *cli.Context, names string, n int) error {
	if got := c.Args().Len(); got != n {
		return console.Usagef("expected %s, got %d", names, got)
	}
	return nil
}

// noArguments is the Before of a command that takes none.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return console.UsageError(c, errors.New("this command takes no arguments, got "+c.Args().First()), true)
	}
	return nil
}
