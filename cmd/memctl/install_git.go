package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/git"
	"memctl/memdir"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func gitFlag(usage string) cli.Flag { return &cli.BoolFlag{Name: "git", Usage: usage} }

// withGit are the flags that --git can be combined with. All others are about the client.
var withGit = []string{"git", "root", "dry-run", "json"}

// runInstallGit is install --git, or uninstall --git if remove is set.
func runInstallGit(c *cli.Context, std streams, remove bool) error {
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(withGit, name) {
			return console.Usagef("--git changes no settings of the client: it cannot be combined with --%s", name)
		}
	}
	root, err := findRoot(c)
	if err != nil {
		return err
	}
	options := clients.GitOptions{Root: root, Remove: remove, DryRun: c.Bool("dry-run"), Step: writeStep}
	done, err := clients.RegisterGit(c.Context, options)
	if err != nil {
		return err
	}
	if err := printResult(c, std, done, printGitChange); err != nil {
		return err
	}
	if done.Ignored {
		term.Warning(std.Err, "git ignores %s: there is nothing for it to merge", root.Shown)
	}
	if done.Diff != "" && !done.DryRun && !done.Ignored {
		const advice = "commit the change of %s; the settings are of this clone, so every other one runs this command once"
		term.Hint(std.Err, advice, root.Shown)
	}
	return nil
}

// uninstallGit is the part of uninstall that is about git. A project without memories or
// without git has none.
func uninstallGit(c *cli.Context, o clients.Options) (*clients.GitChange, error) {
	if o.Scope != clients.ProjectScope {
		return nil, nil
	}
	root, err := memdir.At(o.Project)
	if err != nil {
		return nil, nil // no memories, nothing to merge
	}
	options := clients.GitOptions{Root: root, Remove: true, DryRun: o.DryRun, Step: writeStep}
	done, err := clients.RegisterGit(c.Context, options)
	switch {
	case errors.Is(err, git.ErrNoProgram), errors.Is(err, git.ErrNoRepository), errors.Is(err, git.ErrBare):
		return nil, nil
	case err != nil || !done.Changed:
		return nil, err
	}
	return &done, nil
}

// printGitChange writes what install --git or uninstall did about git.
func printGitChange(out io.Writer, c clients.GitChange) {
	done, unchanged := "registered with git", "already registered with git"
	if c.Removed {
		done, unchanged = "unregistered from git", "not registered with git"
	}
	if !c.Changed {
		fmt.Fprintf(out, "%s: %s; nothing was changed\n", text.Printable(c.Root), unchanged)
		return
	}
	fmt.Fprint(out, text.Paragraph(c.Diff))
	for _, setting := range c.Settings {
		key, value, set := strings.Cut(setting, "=")
		if set {
			fmt.Fprintf(out, "git config %s %s\n", key, "'"+strings.ReplaceAll(text.Printable(value), "'", `'\''`)+"'")
		} else {
			fmt.Fprintf(out, "git config --unset %s\n", key)
		}
	}
	fmt.Fprintf(out, "%s: %s\n", text.Printable(c.Root), doneOr(c.DryRun, done))
}
