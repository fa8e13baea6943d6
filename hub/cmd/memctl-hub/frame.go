package main

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"slices"

	"memctl/cmd/console"
	"memctl/hub"

	"github.com/urfave/cli/v2"
)

//go:embed help
var helpFiles embed.FS

var help = console.Help{Files: helpFiles, Program: "memctl-hub", Shared: sharedFlags}

// sharedFlags are the flags that the help of several commands names.
func sharedFlags(name string) []cli.Flag {
	return map[string][]cli.Flag{
		"dsn": {dsnFlag()},
		"hub": {&cli.StringFlag{Name: "hub",
			Usage: "ask the hub at `URL` as an administrator of it, not the database"}},
		"json": {&cli.BoolFlag{Name: "json", Usage: "print JSON, for programs"}},
	}[name]
}

// newCommand returns the command of a name, with its help and the flags that it names, and
// more flags. It refuses arguments if the help names none.
func newCommand(name string, run cli.ActionFunc, flags ...cli.Flag) *cli.Command {
	cmd := help.Command(name, nil, flags...)
	cmd.Action = func(c *cli.Context) error {
		if cmd.ArgsUsage == "" && cmd.Subcommands == nil && c.Args().Present() {
			return console.UsageError(c, errors.New("this command takes no arguments, got "+c.Args().First()), true)
		}
		if err := inherit(c); err != nil {
			return err
		}
		return run(c)
	}
	return cmd
}

// inherit gives a command the flags that stand before its name.
func inherit(c *cli.Context) error {
	for _, up := range c.Lineage()[1:] {
		if up.Command == nil { // of the program itself
			continue
		}
		for _, name := range up.LocalFlagNames() {
			if !slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == name }) {
				return console.Usagef("--%s does not belong to %s", name, c.Command.Name)
			}
			if !slices.Contains(c.LocalFlagNames(), name) {
				if err := c.Set(name, fmt.Sprint(up.Value(name))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// group gives a command subcommands. Its action is for when none is named.
func group(cmd *cli.Command, subcommands ...*cli.Command) *cli.Command {
	cmd.Subcommands = subcommands
	return cmd
}

// unknownSubcommand is the action of a group that does nothing by itself.
func unknownSubcommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowSubcommandHelp(c)
	}
	return console.Usagef("unknown subcommand %q of %s", c.Args().First(), c.Command.Name)
}

// arguments returns an error unless there is one argument for each name.
func arguments(c *cli.Context, names string, n int) error {
	if got := c.Args().Len(); got != n {
		return console.Usagef("expected %s, got %d", names, got)
	}
	return nil
}

// dsnVariable names the database where no flag does.
const dsnVariable = "MEMCTL_HUB_DSN"

func dsnFlag() cli.Flag {
	return &cli.StringFlag{Name: "dsn", Usage: "use the PostgreSQL database at `DSN`, else the one in $" + dsnVariable}
}

// dsnArg returns the connection string.
func dsnArg(c *cli.Context) (string, error) {
	if c.IsSet("dsn") {
		return c.String("dsn"), nil
	}
	if dsn := os.Getenv(dsnVariable); dsn != "" {
		return dsn, nil
	}
	return "", console.Misused("set "+dsnVariable+", or pass --dsn: postgres://USER:PASSWORD@HOST/DATABASE",
		"no database is named")
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
