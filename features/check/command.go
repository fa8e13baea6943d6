// Package check is the feature that holds memories against code: check finds those that bear on a change, and why
// those and the commits behind some lines.
package check

import (
	"context"
	"embed"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "check", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{
				command.NewCommand(std, "check", command.InProject, runCheck),
				command.NewCommand(std, "why", command.InProject, runWhy),
			}
		},
		Words: template.FuncMap{"reason": reason.String},
		Why: func(ctx context.Context, std command.Streams, s *store.Store, place string) (any, error) {
			roots, err := s.Roots()
			if err != nil {
				return nil, err
			}
			if !filepath.IsAbs(place) { // a server is in no folder
				place = filepath.Join(roots[0].Project, place)
			}
			return whyOf(ctx, std, s, roots, place)
		},
	}
}

func runCheck(c *cli.Context, std command.Streams) error {
	s, roots, err := projectRoots(c, std)
	if err != nil {
		return err
	}
	scope, err := readScope(roots[0], c.Bool("staged"), c.Args().Slice())
	if err != nil {
		return err
	}
	change, err := readChange(c.Context, roots[0], scope)
	if err != nil {
		return err
	}
	result, err := find(c.Context, s, roots, change)
	if err := command.PagedFor(c, std, "bearing")(result, err); err != nil {
		return err
	}
	if c.Bool("strict") && result.Broken > 0 {
		return console.ErrFindings
	}
	return nil
}

func runWhy(c *cli.Context, std command.Streams) error {
	s, roots, err := projectRoots(c, std)
	if err != nil {
		return err
	}
	return command.PagedFor(c, std, "decisions")(whyOf(c.Context, std, s, roots, c.Args().First()))
}

// whyOf returns the decisions behind a place, by its name.
func whyOf(
	ctx context.Context, std command.Streams, s *store.Store, roots []files.Root, name string,
) (d decisions, err error) {
	if files.IsUsers(roots[0]) {
		return d, files.ErrNoRoot
	}
	p, err := readPlace(roots[0], name)
	if err != nil {
		return d, err
	}
	return why(ctx, s, roots, p, std.OpenSessions())
}

// projectRoots returns the roots of a question about files, of which the first is a project's.
func projectRoots(c *cli.Context, std command.Streams) (*store.Store, []files.Root, error) {
	s, roots, err := command.FindRoots(c, std)
	if err == nil && files.IsUsers(roots[0]) {
		err = files.ErrNoRoot
	}
	return s, roots, err
}

// String says why a memory is listed, for a person.
func (r reason) String() string {
	place := r.File
	if r.Line > 0 {
		place = fmt.Sprintf("%s:%d", r.File, r.Line)
	}
	switch r.Kind {
	case "lines":
		if !r.Broken {
			return fmt.Sprintf("%s has code that it forbids: %s", place, r.Text)
		}
		return fmt.Sprintf("%s breaks it: %s", place, r.Text)
	case "command":
		if r.Broken {
			return fmt.Sprintf("%s breaks it: it runs %s", place, r.Command)
		}
		return fmt.Sprintf("%s runs %s", place, r.Command)
	case "pattern", "folder":
		return fmt.Sprintf("%s is in %s", place, r.Related)
	case "beside":
		return fmt.Sprintf("%s is beside a file that it names", place)
	case "words":
		return fmt.Sprintf("%s has its words: %s", place, strings.Join(r.Words, ", "))
	}
	return "it names " + place
}
