// Command memctl-hub serves the memories of a company's repositories from PostgreSQL. This
// package reads flags and streams and sets exit codes. One file holds one command.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

const description = `A hub holds the memories of many repositories in PostgreSQL. "memctl publish" sends them
from CI, "memctl search --hub" and MCP clients ask for them, and each person sees the
repositories that a grant names.

   export MEMCTL_HUB_DSN=postgres://hub@db.example.com/hub
   memctl-hub migrate
   memctl-hub grant add group:payments 'github.com/acme/payments*'
   memctl-hub token create --user alice --group payments
   memctl-hub serve --listen 127.0.0.1:8787

The database is the one that --dsn names, else $MEMCTL_HUB_DSN. Other users of the machine
see the arguments of programs: put a password into the variable, or into ~/.pgpass.
"serve" connects as any role that is a member of memctl_hub, all other commands as the
role that ran "migrate", which owns the tables.

Exit status: 0 done, 1 refused or something was found wrong, 2 wrong usage.
Results go to stdout, messages to stderr.`

func main() {
	os.Exit(run(os.Args, streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// streams are what a command reads and writes: stdout is for pipes, stderr for people.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

func run(args []string, std streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := &console.Stdout{Writer: std.Out}
	std.Out = out
	app := newApp(std)
	err := app.RunContext(ctx, console.Interspersed(app, args))
	if err == nil {
		err = out.Err
	}
	return console.Report(ctx, std.Err, err)
}

func newApp(std streams) *cli.App {
	app := &cli.App{
		Name:            "memctl-hub",
		Usage:           "a company's memories on PostgreSQL",
		Description:     description,
		Version:         console.ThisBuild(commit).String(),
		Reader:          std.In,
		Writer:          std.Out,
		ErrWriter:       std.Err,
		HideHelpCommand: true,
		Flags:           []cli.Flag{dsnFlag()},
		ExitErrHandler:  func(*cli.Context, error) {}, // run decides
		OnUsageError:    console.UsageError,
		Action:          console.NoCommand,
		Commands: []*cli.Command{
			serveCommand(std),
			migrateCommand(std),
			grantCommand(std),
			tokenCommand(std),
			reposCommand(std),
			forgetCommand(std),
			checkCommand(std),
			versionCommand(std),
		},
	}
	console.Prepare(app.Commands, withHint)
	return app
}

// unknownSubcommand is the action of a command that has only subcommands.
func unknownSubcommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowSubcommandHelp(c)
	}
	return console.Usagef("unknown subcommand %q of %s", c.Args().First(), c.Command.Name)
}
