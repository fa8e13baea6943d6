package main

import (
	"cmp"
	"errors"
	"path/filepath"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runInit(c *cli.Context, std command.Streams) error {
	if c.Bool("user") {
		return initUser(c, std)
	}
	path, err := files.Target(cmp.Or(command.RootArg(c), "."))
	if err != nil {
		return err
	}
	warnOfRootAbove(std, path)
	if err := makeRoot(c, std, path); err != nil {
		return err
	}
	if root, _, err := files.FindOrPlanUser(); err == nil && root.Path == path {
		console.Note(std.Err, "this is your home folder: memories saved here apply to every project")
	}
	if !c.Bool("observations") {
		return nil
	}
	return switchOnObservations(c, std, path)
}

// initUser makes the root of the user's own memories.
func initUser(c *cli.Context, std command.Streams) error {
	if _, err := command.ReadScope(c); err != nil {
		return err
	}
	if c.Bool("observations") {
		return console.Usagef("--observations is a setting of a project, and --user is for all of them")
	}
	root, _, err := files.FindOrPlanUser()
	if err != nil && !errors.As(err, new(*files.ForeignError)) {
		return err
	}
	return makeRoot(c, std, root.Path)
}

func makeRoot(c *cli.Context, std command.Streams, path string) error {
	foreign := files.Foreign(path)
	done, err := git.Init(c.Context, path)
	if err != nil {
		return err
	}
	if foreign != nil {
		console.Note(std.Err, "%s", text.Printable(foreign.Shared()))
	}
	if !c.Bool("json") && !files.IgnoresIndex(path) {
		console.Hint(std.Err, "add index.db* to %s: the index is derived and should not be committed",
			filepath.Join(path, ".gitignore"))
	}
	return command.PrintResult(c, std, done, "initialized")
}

// warnOfRootAbove warns that a new root takes the place of one further up, which memctl
// has used in this folder until now.
func warnOfRootAbove(std command.Streams, path string) {
	if _, err := gate.Stat(path); err == nil {
		return
	}
	folder := filepath.Dir(path)
	for info, err := gate.Stat(folder); (err != nil || !info.IsDir()) && folder != filepath.Dir(folder); {
		folder = filepath.Dir(folder)
		info, err = gate.Stat(folder)
	}
	above, err := files.Find(files.Places{Cwd: folder})
	if err != nil {
		return
	}
	console.Warning(std.Err, "there is a memory root above: %s. memctl no longer uses it here", above.Path)
	console.Hint(std.Err, "to use that one, remove %s", path)
}

// switchOnObservations reports on stderr: the answer of init is on stdout.
func switchOnObservations(c *cli.Context, std command.Streams, path string) error {
	root, err := files.At(path)
	if err != nil {
		return err
	}
	w, err := store.At(root, command.StoreOptions(std)).Writer()
	if err != nil {
		return err
	}
	if err := command.SetTo(c.Context, w, "observations.enabled", true); err != nil {
		return err
	}
	console.Note(std.Err, "tools are observed from now on")
	return nil
}
