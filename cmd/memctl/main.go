// Command memctl is the memory of a coding agent: it finds the few memories that
// a prompt needs. This package reads flags and streams and sets exit codes; it is
// the only place that prints or exits. One file holds one command.
//
// It runs for milliseconds: the goroutine with which Go follows changes of the
// machine's limits would only cost a start.
//
//go:debug updatemaxprocs=0
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"memctl/answers"
	"memctl/cmd/memctl/first"
	_ "memctl/patterns/re2"
)

func main() {
	if commandName(os.Args) == "hook" {
		os.Exit(answerHook(first.Hook))
	}
	os.Exit(run(os.Args, streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

type streams = answers.Streams

// run is every command that is no hook.
func run(args []string, std streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := &delivery{to: std.Out}
	std.Out = out
	app := newApp(std, commands(std)...)
	return report(ctx, std, out.verdict(app.RunContext(ctx, interspersed(app, args))))
}
