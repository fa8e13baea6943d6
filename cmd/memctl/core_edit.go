package main

import (
	"errors"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"

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
	if scope, _ := command.ReadScope(c); scope == files.UserScope {
		e.Scope = " --scope user"
	}
	return e.Run(c)
}
