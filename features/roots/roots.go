// Package roots is the feature that lists the projects of a user, adds and forgets them. Package store keeps the
// catalogue.
package roots

import (
	"cmp"
	"embed"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "roots", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command { return []*cli.Command{rootsCommand(std)} },
		Words:    template.FuncMap{"rootNote": rootNote},
	}
}

func rootsCommand(std command.Streams) *cli.Command {
	return command.Group(command.NewCommand(std, "roots", command.May{{Access: store.AllProjects}}, runRoots),
		command.NewCommand(std, "roots add", command.APerson(store.OtherProjects, "add projects", rootsAddQuestion),
			runRootsAdd),
		command.CountingArguments(command.NewCommand(std, "roots forget",
			command.NoAgent(store.OtherProjects, "forget projects"), runRootsForget)),
		command.NewCommand(std, "roots rebuild", command.NoAgent(store.OtherProjects, "read all projects"),
			runRootsRebuild))
}

func runRoots(c *cli.Context, std command.Streams) error {
	if c.Bool("machines") {
		const none = "no machine has sent its projects: \"memctl sync init URL --roots\" does"
		return command.Listed[store.Machine](c, std, "machines", none)(store.Machines())
	}
	r, err := command.CatalogueOf(c, std)
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
	command.WarnUnmade(std, done.Unmade)
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

func rootsAddQuestion(c *cli.Context, _ command.Streams) string {
	path := c.Args().First()
	if path == "" {
		path = "."
	}
	root, err := files.At(path)
	if err != nil || c.Args().Len() > 1 {
		return ""
	}
	return "Searches of all projects, and sources.roots, then use the memories of " + filepath.ToSlash(root.Path) +
		". Allow it?"
}
