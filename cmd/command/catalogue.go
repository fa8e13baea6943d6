package command

import (
	"errors"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

// CatalogueOf returns the catalogue. The user need not be in a project.
func CatalogueOf(c *cli.Context, std Streams) (r store.Catalogue, err error) {
	r.Own, err = FindRoot(c)
	if errors.Is(err, files.ErrNoRoot) && RootArg(c) == "" {
		err = nil
	}
	r.UserModel = std.UserModel()
	r.Progress = console.Progress(std.Err, "reading projects")
	r.Moved = func(from, to string) { console.Note(std.Err, "%s is now %s", AtHome(from), AtHome(to)) }
	return r, err
}

// WarnUnmade says why vectors are missing. What they are of is complete without them.
func WarnUnmade(std Streams, err error) {
	if err != nil {
		console.Warning(std.Err, "%v; a later save, session, search or rebuild goes on with the vectors", err)
	}
}
