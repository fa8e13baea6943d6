// Command memctl is the memory of a coding agent: it finds the few memories that
// a prompt needs. This package reads flags and streams and sets exit codes; it is
// the only place that prints or exits. A file holds a command, or a few that belong together.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"memctl/cmd/console"
	"memctl/hooks"
)

func main() {
	std := streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if commandName(os.Args) == "hook" {
		runHook(os.Args, std)
		return
	}
	os.Exit(run(os.Args, std))
}

// streams are what a command reads and writes: stdout is for the agent and for
// pipes, stderr for people.
type streams = hooks.Streams

// run runs a command that is not a hook.
func run(args []string, std streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	stderr := console.NewStderr(std.Err)
	defer console.Unfiltered(stderr)
	out := &console.Stdout{Writer: std.Out, Silence: stderr}
	std.Out, std.Err = out, stderr
	args = renew(args, std)
	app := newApp(std, commands(std, commandName(args))...)
	return report(ctx, std, checkStdout(out, app.RunContext(ctx, console.Interspersed(app, args))))
}
