package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runInit(c *cli.Context, std streams) error {
	if c.Bool("user") {
		return initUser(c, std)
	}
	path, err := memdir.Target(cmp.Or(rootArg(c), "."))
	if err != nil {
		return err
	}
	warnOfRootAbove(std, path)
	if err := makeRoot(c, std, path); err != nil {
		return err
	}
	if root, _, err := memdir.FindOrPlanUser(); err == nil && root.Path == path {
		console.Note(std.Err, "this is your home folder: what you save here holds in every project")
	}
	if !c.Bool("observations") {
		return nil
	}
	return switchOnObservations(c, std, path)
}

// initUser makes the root of the user's own memories.
func initUser(c *cli.Context, std streams) error {
	if _, err := readScope(c); err != nil {
		return err
	}
	if c.Bool("observations") {
		return console.Usagef("--observations is a setting of a project, and --user is for all of them")
	}
	root, _, err := memdir.FindOrPlanUser()
	if err != nil && !errors.As(err, new(*memdir.ForeignError)) {
		return err
	}
	return makeRoot(c, std, root.Path)
}

func makeRoot(c *cli.Context, std streams, path string) error {
	foreign := memdir.Foreign(path)
	done, err := memdir.Init(path)
	if err != nil {
		return err
	}
	if foreign != nil {
		console.Note(std.Err, "%s", text.Printable(foreign.Shared()))
	}
	if !c.Bool("json") && !memdir.IgnoresIndex(path) {
		console.Hint(std.Err, "add index.db* to %s: the index is derived and should not be committed",
			filepath.Join(path, ".gitignore"))
	}
	return printResult(c, std, done, printInitialized)
}

// warnOfRootAbove warns that a new root takes the place of one further up, which memctl
// has used in this folder until now.
func warnOfRootAbove(std streams, path string) {
	if _, err := os.Stat(path); err == nil {
		return
	}
	folder := filepath.Dir(path)
	for info, err := os.Stat(folder); (err != nil || !info.IsDir()) && folder != filepath.Dir(folder); {
		folder = filepath.Dir(folder)
		info, err = os.Stat(folder)
	}
	above, err := memdir.Find(memdir.Places{Cwd: folder})
	if err != nil {
		return
	}
	console.Warning(std.Err, "there is a memory root above: %s. memctl no longer uses it here", above.Path)
	console.Hint(std.Err, "to use that one, remove %s", path)
}

// switchOnObservations reports on stderr: the answer of init is on stdout.
func switchOnObservations(c *cli.Context, std streams, path string) error {
	root, err := memdir.At(path)
	if err != nil {
		return err
	}
	w, err := store.At(root, storeOptions(std)).Writer()
	if err != nil {
		return err
	}
	if err := setBool(c.Context, w, enabledKey, true); err != nil {
		return err
	}
	console.Note(std.Err, "tools are observed from now on")
	return nil
}

// printInitialized writes what was created in a memory root.
func printInitialized(out io.Writer, done memdir.Initialized) {
	if len(done.Created) == 0 {
		fmt.Fprintf(out, "%s is complete already; nothing was created\n", text.Printable(done.Root))
		return
	}
	fmt.Fprintf(out, "%s: created %s\n", text.Printable(done.Root), strings.Join(done.Created, " "))
	if len(done.Kept) > 0 {
		fmt.Fprintf(out, "kept as it was: %s\n", strings.Join(done.Kept, " "))
	}
}
