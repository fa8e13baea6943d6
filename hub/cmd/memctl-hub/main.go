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

func main() {
	os.Exit(run(os.Args, streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// streams are the input and outputs of a command: stdout is for pipes, stderr for people.
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
		Description:     help.Read("memctl-hub"),
		Version:         console.ThisBuild(commit).String(),
		Reader:          std.In,
		Writer:          std.Out,
		ErrWriter:       std.Err,
		HideHelpCommand: true,
		// A comma belongs to a name, such as that of a group of LDAP.
		DisableSliceFlagSeparator: true,
		Flags:                     []cli.Flag{dsnFlag()},
		ExitErrHandler:            func(*cli.Context, error) {}, // run decides
		OnUsageError:              console.UsageError,
		Action:                    console.NoCommand,
		Commands: []*cli.Command{
			serveCommand(std),
			migrateCommand(std),
			grantCommand(std),
			tokenCommand(std),
			adminCommand(std),
			auditCommand(std),
			reposCommand(std),
			forgetCommand(std),
			versionCommand(std),
		},
	}
	console.Prepare(app.Commands, withHint)
	return app
}
