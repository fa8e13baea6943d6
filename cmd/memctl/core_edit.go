package main

import (
	"errors"
	"fmt"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runEdit(c *cli.Context, std command.Streams) error {
	root, ref, err := command.FindMemory(c, std)
	if errors.Is(err, files.ErrNoRoot) && !errors.As(err, new(*command.InOther)) {
		return &console.Failure{Err: err,
			Hint: `"memctl add" saves the first memory; --root names a root elsewhere`,
			Code: console.ExitFailed}
	}
	if err != nil {
		return err
	}
	w, err := store.At(root, command.StoreOptions(std)).Writer()
	if err != nil {
		return err
	}
	w.Read = !clients.InAgentShell()
	e := command.Edit{Std: std, W: w, Path: ref.Path}
	if c.Bool("rename") {
		return e.Rename(c)
	}
	if scope, _ := command.ReadScope(c); scope == files.UserScope {
		e.Scope = " --scope user"
	}
	return e.Run(c)
}

// runSupersede has the second decision say that it takes the place of the first.
func runSupersede(c *cli.Context, std command.Streams) error {
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	var pair [2]retrieve.Ref
	for i, name := range c.Args().Slice() {
		if pair[i], err = command.ResolveMemory(c.Context, w.Root, name); err != nil {
			return err
		}
	}
	was, now := pair[0], pair[1]
	switch {
	case was.Path == now.Path:
		return console.Usagef("supersede: both names are %s", was.Shown())
	case was.Category != string(schemas.Decision):
		return console.Refused(fmt.Sprintf(`"memctl retire %s --reason %s" retires it`, text.ShellWord(was.ID),
			text.ShellWord("superseded by "+now.ID)), "%s is not a decision", was.Shown())
	}
	done, err := w.Supersede(c.Context, w.Root.Shown+"/"+now.Path, was.ID)
	if err != nil {
		return err
	}
	return command.WriteJSON(std.Out, done)
}
