// Command memctl-hub serves the memories of a company's repositories from PostgreSQL. This
// package reads flags and streams and sets exit codes. One file holds one command.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

func main() { os.Exit(run()) }

// run runs the command that the program was called with, and returns the exit status. stdout is for pipes, stderr for
// people.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := &console.Stdout{Writer: os.Stdout}
	app := &cli.App{
		Name:            "memctl-hub",
		Usage:           "a company's memories on PostgreSQL",
		Description:     help.Read("memctl-hub"),
		Version:         console.ThisBuild(commit).String(),
		Writer:          out,
		HideHelpCommand: true,
		// A comma belongs to a name, such as that of a group of LDAP.
		DisableSliceFlagSeparator: true,
		Flags:                     []cli.Flag{dsnFlag()},
		ExitErrHandler:            func(*cli.Context, error) {}, // Report decides
		OnUsageError:              console.UsageError,
		Action:                    console.NoCommand,
		Commands: []*cli.Command{
			serveCommand(),
			newCommand("migrate", runMigrate),
			grantCommand(),
			tokenCommand(),
			adminCommand(),
			auditCommand(),
			newCommand("repos", runRepos),
			newCommand("forget", runForget,
				&cli.IntFlag{Name: "unpublished", Usage: "all repositories that were not published for `N` days"}),
			newCommand("version", runVersion),
		},
	}
	console.Prepare(app.Commands, withHint)
	err := app.RunContext(ctx, console.Interspersed(app, os.Args))
	return console.Report(ctx, os.Stderr, cmp.Or(err, out.Err))
}
