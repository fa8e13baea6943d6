package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runRoots(c *cli.Context, std command.Streams) error {
	r, err := catalogueOf(c, std)
	if err != nil {
		return err
	}
	const none = "no projects yet: a project is listed when a session starts in it, or a memory is written"
	return command.Listed[store.Catalogued](c, std, "roots", none)(r.Roots(c.Context))
}

func runRootsAdd(c *cli.Context, std command.Streams) error {
	if c.Args().Len() > 1 {
		return console.Usagef("roots add takes one path, got %d", c.Args().Len())
	}
	root, err := files.At(cmp.Or(c.Args().First(), "."))
	if err != nil {
		return err
	}
	if err := (store.Catalogue{}).Add(c.Context, root); err != nil {
		return err
	}
	if _, err := root.Introduce(); err != nil { // the person confirms it
		return err
	}
	added := struct {
		Added string `json:"added"`
	}{filepath.ToSlash(root.Path)}
	return command.PrintResult(c, std, added, "root added")
}

type forgotten struct {
	Forgotten []string `json:"forgotten"`
	Never     bool     `json:"never"`
}

func runRootsForget(c *cli.Context, std command.Streams) (err error) {
	done := forgotten{Never: c.Bool("never")}
	gone := c.Bool("gone")
	switch {
	case gone && (c.Args().Present() || done.Never):
		return console.Usagef("--gone takes neither a path nor --never")
	case gone:
		done.Forgotten, err = store.Catalogue{}.ForgetGone(c.Context)
	case c.Args().Len() != 1:
		return console.Usagef("roots forget takes one path, got %d", c.Args().Len())
	default:
		done.Forgotten, err = store.Catalogue{}.Forget(c.Context, c.Args().First(), done.Never)
	}
	if err != nil {
		return err
	}
	done.Forgotten = command.NotNil(done.Forgotten)
	for i, path := range done.Forgotten {
		done.Forgotten[i] = filepath.ToSlash(path)
	}
	if !gone && !done.Never && !c.Bool("json") {
		console.Hint(std.Err, "the next session there lists it again; --never keeps it out")
	}
	return command.PrintResult(c, std, done, "roots forgotten")
}

func runRootsRebuild(c *cli.Context, std command.Streams) error {
	done, err := store.Catalogue{
		UserModel:      std.UserModel(),
		Progress:       console.Progress(std.Err, "reading projects"),
		VectorProgress: console.Progress(std.Err, "making vectors"),
	}.Rebuild(c.Context)
	if err != nil {
		return fmt.Errorf("rebuild the catalogue: %w", err)
	}
	warnUnmade(std, done.Unmade)
	return command.PrintResult(c, std, done, "roots rebuilt")
}

// rootNote says what is unusual about a root, "" if nothing is.
func rootNote(r store.Catalogued) string {
	var notes []string
	if r.Gone {
		notes = append(notes, "gone")
	}
	if n := r.Problems; n > 0 {
		notes = append(notes, text.Plural(n, "problem", "problems"))
	}
	return strings.Join(notes, ", ")
}

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
	done, err := files.Init(path)
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
