// Command memctl is the memory of a coding agent: it finds the few memories that
// a prompt needs. This package reads flags and streams and sets exit codes; it is
// the only place that prints or exits. A file holds a command, or a few that belong together.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/hooks"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

func main() {
	std := command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}.With(features())
	clients.Others = command.ClientsOf(std.Features)
	if command.CommandName(os.Args) == "hook" {
		runHook(os.Args, std)
		return
	}
	os.Exit(run(os.Args, std))
}

// run runs a command that is not a hook.
func run(args []string, std command.Streams) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signal.Notify(command.StopSignals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-command.StopSignals:
			stop()
		case <-ctx.Done():
		}
	}()
	defer context.AfterFunc(ctx, endSoon)() // before stop, which ends the context as well
	stderr := console.NewStderr(std.Err)
	defer console.Unfiltered(stderr)
	out := &console.Stdout{Writer: std.Out, Silence: stderr}
	std.Out, std.Err = out, stderr
	args = renew(args, std)
	app := newApp(std, commands(std, command.CommandName(args))...)
	return command.Report(ctx, std, command.CheckStdout(std, out, app.RunContext(ctx, console.Interspersed(app, args))))
}

// stopTime is how long a command may take to end on its own after Ctrl-C or SIGTERM.
const stopTime = time.Second

// endSoon ends the process if the command that it runs does not end: a loop that does not look at its context, or a
// read that cannot be interrupted. Files and indexes are whole then, as after any other kill, and its locks are free.
func endSoon() {
	time.Sleep(stopTime)
	fmt.Fprintln(os.Stderr, "memctl: stopped")
	os.Exit(console.ExitStopped)
}

// runHook answers an event. The other commands are not set up, since a client waits,
// and wrong usage fails open like everything else.
func runHook(args []string, std command.Streams) {
	// a hook does one thing after another, and idle threads that look for work cost it some percent
	runtime.GOMAXPROCS(1)
	run := hooks.NewRun(std.Hooks(), clients.Claude)
	run.Notes, run.UserModel, run.Admit = std.Notes(), std.UserModel(), admitHook
	run.ProposalsWait = std.ProposalsWait()
	run.Do(func() error {
		app := newApp(std, hookCommand(std, run))
		return app.Run(console.Interspersed(app, args))
	})
}

// admitHook refuses a hook that names another project than the one it runs in. A client's own hooks have the same
// variables as its agent's shell, but name no root, and they run in the project of their event unless the client
// says which project that is.
func admitHook(p files.Places) error {
	if !clients.InAgentShell() {
		return nil
	}
	if !p.Named() && p.ProjectDir == "" {
		p.Flag = p.Cwd
	}
	p.Cwd = ""
	if !p.NamesOther() {
		return nil
	}
	return store.OtherRoot.RefuseAgent()
}

func hookCommand(std command.Streams, run *hooks.Run) *cli.Command {
	cmd := command.NewCommand(std, "hook", command.InProject, func(c *cli.Context, _ command.Streams) error {
		if err := setClient(c, run); err != nil {
			return err
		}
		if name := c.Args().First(); name != "" {
			return fmt.Errorf("unknown hook %q", name)
		}
		return errors.New("no hook is named; memctl hook --help lists them")
	}, command.RootFlag(), clientFlag())
	cmd.Before = nil
	for _, hook := range hooks.All {
		hook = afterStart(hook, std)
		cmd.Subcommands = append(cmd.Subcommands, &cli.Command{
			Name:  hook.Name,
			Usage: hook.Usage,
			Flags: []cli.Flag{command.RootFlag(), clientFlag()},
			Action: func(c *cli.Context) error {
				if err := setClient(c, run); err != nil || clients.Repeats(clientArg(c), hook.Name) {
					return err
				}
				return run.Answer(c.Context, hook, command.RootArg(c))
			},
		})
	}
	return command.FilledIn(cmd, strings.Join(clients.Names()[1:], ", "))
}

func clientFlag() cli.Flag {
	return &cli.StringFlag{Name: "client", Usage: "the `CLIENT` that runs the hook"}
}

// clientArg is the client that the command line names, "" if it names none.
func clientArg(c *cli.Context) string {
	for _, context := range c.Lineage() {
		if name := context.String("client"); name != "" {
			return name
		}
	}
	return ""
}

// setClient makes the run answer in the form of the client that the command line names.
func setClient(c *cli.Context, run *hooks.Run) error {
	name := clientArg(c)
	if name == "" {
		return nil
	}
	client := clients.Named(name)
	if client == nil {
		return fmt.Errorf("unknown client %q", name)
	}
	run.SetClient(client)
	return nil
}

// afterStart adds what features do once a session's start has been answered in time.
func afterStart(hook hooks.Hook, std command.Streams) hooks.Hook {
	before := hook.Afterwards
	if before == nil || hook.Name != "session-start" {
		return hook
	}
	hook.Afterwards = func(ctx context.Context, call *hooks.Call) {
		before(ctx, call)
		root, err := call.Root()
		if err != nil || call.Late() {
			return
		}
		for _, f := range std.Features {
			if f.AfterStart != nil {
				f.AfterStart(ctx, std, root)
			}
		}
	}
	return hook
}
