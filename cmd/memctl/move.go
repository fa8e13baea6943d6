package main

import (
	"memctl/catalogue"
	"memctl/cmd/console"
	"memctl/memdir"

	"github.com/urfave/cli/v2"
)

func transferCommand(std streams) *cli.Command {
	cmd := newCommand(std, "move", runTransfer,
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		&cli.StringFlag{Name: "to", Usage: "whose it becomes: `SCOPE` user or project", Action: oneOf("to", scopes)})
	cmd.After = noteBoth
	return cmd
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
	source, none, err := scopedWriter(c, std, to.Other())
	if err != nil {
		return err
	}
	target, planned, err := scopedWriter(c, std, to)
	if err != nil {
		return err
	}
	if !none {
		if name, err = fullName(c.Context, source.Root, name); err != nil {
			return err
		}
	}
	done, err := source.Transfer(c.Context, name, target)
	if err != nil {
		return err
	}
	if err := completeRoot(std, target.Root, planned && done.Status == "moved"); err != nil {
		return err
	}
	return writeJSON(std.Out, done)
}

// noteBoth is catalogued for both roots.
func noteBoth(c *cli.Context) error {
	for _, scope := range []memdir.Scope{memdir.ProjectScope, memdir.UserScope} {
		if root, err := rootOf(c, scope); err == nil {
			_ = catalogue.Note(c.Context, root)
		}
	}
	return nil
}
