// Command memctl is the memory of a coding agent: it finds the few memories that
// a prompt needs. This package reads flags and streams and sets exit codes; it is
// the only place that prints or exits. One file holds one command.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams are what a command reads and writes: stdout is for the agent and for
// pipes, stderr for people.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

func run(ctx context.Context, args []string, std streams) int {
	app := newApp(std)
	err := app.RunContext(ctx, interspersed(app, args))
	if err != nil && len(args) > 1 && args[1] == "hook" {
		return failOpen(std, err)
	}
	return report(ctx, std, err)
}
