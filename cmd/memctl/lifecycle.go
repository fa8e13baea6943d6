package main

import (
	"context"
	"fmt"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// moveFunc is a method that changes a memory's status.
type moveFunc func(w *writer.Writer, ctx context.Context, target, reason string) (writer.Moved, error)

// moveCommand moves a memory, or archives it or takes it out of the archive if there is the flag.
func moveCommand(std streams, name, flag, usage string, move, archived moveFunc) *cli.Command {
	run := func(c *cli.Context, std streams) error {
		if c.Bool(flag) {
			return runMove(c, std, archived)
		}
		return runMove(c, std, move)
	}
	return newCommand(std, name, run, append(ownFlags(),
		rootFlag(),
		&cli.BoolFlag{Name: flag, Usage: usage},
		jsonFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		&cli.StringFlag{Name: "reason", Usage: "why, for the memory's history: `TEXT` of at most 300 characters"},
	)...)
}

func runMove(c *cli.Context, std streams, move moveFunc) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, s, name); err != nil {
		return err
	}
	done, err := move(w, c.Context, name, c.String("reason"))
	if err != nil || c.Bool("json") || terminalOf(std.Out) == nil {
		return inJSON[writer.Moved](std)(done, err)
	}
	fmt.Fprintf(std.Out, "%s: %s\n", strings.ReplaceAll(done.Status, "_", " "), text.Printable(done.Target))
	id := text.ShellWord(stemOf(done.Target))
	if scope, _ := readScope(c); scope == memdir.UserScope {
		id += " --user"
	}
	switch done.Status {
	case "retired":
		console.Hint(std.Err, "\"memctl restore %s\" brings it back", id)
	case "archived":
		console.Hint(std.Err, "\"memctl restore %s --kept\" brings it back", id)
	}
	return nil
}

func runTransfer(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	to := memdir.ProjectScope
	switch c.String("to") {
	case "":
		return console.Usagef("move needs --to user or --to project")
	case memdir.UserScope.String():
		to = memdir.UserScope
	}
	from := scopedStore(c, std, to.Other())
	source, err := from.Writer()
	if err != nil {
		return err
	}
	there := scopedStore(c, std, to)
	target, err := there.Writer()
	if err != nil {
		return err
	}
	if name, err = fullName(c.Context, from, name); err != nil {
		return err
	}
	done, err := source.Transfer(c.Context, name, target)
	if err != nil {
		return err
	}
	if done.Status == "moved" {
		if err := completeRoot(std, there); err != nil {
			return err
		}
	}
	return writeJSON(std.Out, done)
}
