package main

import (
	"errors"
	"github.com/urfave/cli/v2"
	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"
)

func runEdit(c *cli.Context, std Streams) error {
	root, ref, err := findMemory(c, std)
	if errors.Is(err, files.ErrNoRoot) && !errors.As(err, new(*inOther)) {
		return &console.Failure{Err: err,
			Hint: `"memctl add" saves the first memory; --root names a root that lies elsewhere`, Code: console.ExitFailed}
	}
	if err != nil {
		return err
	}
	w, err := store.At(root, storeOptions(std)).Writer()
	if err != nil {
		return err
	}
	w.Read = !clients.InAgentShell()
	e := edit{std: std, w: w, path: ref.Path}
	if scope, _ := readScope(c); scope == files.UserScope {
		e.scope = " --scope user"
	}
	return e.run(c)
}
