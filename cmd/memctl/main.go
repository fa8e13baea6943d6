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
	os.Exit(run(os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are what a command reads and writes: stdout is for the agent and for
// pipes, stderr for people.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run keeps away from a hook what only people need: the other commands, and
// cleaning up after Ctrl-C.
func run(args []string, std streams) int {
	if commandName(args) == "hook" {
		return answerHook(args, std)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := newApp(std, commands(std)...)
	return report(ctx, std, app.RunContext(ctx, interspersed(app, args)))
}
