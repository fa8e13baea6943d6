package install

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/git"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// gitSetup is how git merges the memories of a project.
type gitSetup struct {
	Shared     bool     `json:"shared"`     // git has their configuration: somebody has decided for all clones
	Ignored    bool     `json:"ignored"`    // git ignores them
	Chosen     bool     `json:"chosen"`     // the project's .gitattributes have memctl merge them
	Registered bool     `json:"registered"` // in this clone, once setup is done
	Settings   []string `json:"settings"`   // of the clone that setup changed, or would

	wanted bool
}

// probe stands for a memory, as seen from the project.
const probe = files.RootPath + "/decisions/x.json"

// planGit finds out how git merges the memories of a project; nil without a repository. Memories that a team merges by
// memctl need no answer.
func planGit(c *cli.Context, std command.Streams, project string) (*gitSetup, error) {
	err := git.CheckWorkTree(c.Context, project)
	if errors.Is(err, git.ErrNoProgram) || errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrBare) {
		return nil, nil
	}
	g := &gitSetup{Settings: []string{}}
	_, notShared := git.Run(c.Context, project, "ls-files", "--error-unmatch", "--",
		files.RootPath+"/"+files.ConfigName)
	g.Shared = err == nil && notShared == nil
	_, notIgnored := git.Run(c.Context, project, "check-ignore", "--quiet", probe)
	g.Ignored = err == nil && notIgnored == nil
	var attribute []byte
	if err == nil {
		attribute, err = git.Run(c.Context, project, "check-attr", "-z", "merge", "--", probe)
	}
	g.Chosen = bytes.HasSuffix(attribute, []byte("\x00memctl\x00"))
	trial := gitOptions{Root: files.Root{Path: project}, DryRun: true}
	missing := &gitChange{}
	for _, setting := range gitSettings(clients.FindProgram(clients.LocalScope).Command) {
		if err == nil {
			err = trial.set(c.Context, missing, setting)
		}
	}
	if err != nil && c.Context.Err() == nil { // such as a repository of another user
		console.Warning(std.Err, "the merge driver is not registered: %v", err)
		return nil, nil
	}
	g.Registered = g.Chosen && !missing.Changed
	g.wanted = !g.Ignored && (g.Chosen || c.Bool("yes"))
	return g, c.Context.Err()
}

// isOpen reports whether a person is to be asked.
func (g *gitSetup) isOpen() bool { return g != nil && !g.Shared && !g.Ignored && !g.Chosen }

// isDecided reports whether the project's files answer all questions, as in a clone.
func (g *gitSetup) isDecided() bool { return g != nil && g.Shared }

func (g *gitSetup) changes() bool { return !g.Registered && !g.Ignored }

// places names the files that a registration changes.
func (g *gitSetup) places() string {
	if g.Chosen {
		return "git config of this clone"
	}
	return files.RootPath + "/.gitattributes, git config of this clone"
}

func (g *gitSetup) question() string {
	return "Have git merge memories field by field, so that two people can change one?\nThat adds lines to " +
		files.RootPath + "/.gitattributes, which you commit, and sets\n" +
		"merge.memctl and diff.memctl in the git config of this clone."
}

// carryOut registers the merge driver if it is wanted.
func (g *gitSetup) carryOut(ctx context.Context, root files.Root, dryRun bool) error {
	if !g.wanted || !g.changes() {
		return nil
	}
	if dryRun {
		root.Path = root.Project // the memory root may not be there yet
	}
	done, err := registerGit(ctx, gitOptions{Root: root, Clone: g.Chosen || dryRun, DryRun: dryRun,
		Step: command.WriteStep})
	if err == nil {
		g.Settings, g.Registered = done.Settings, !dryRun
	}
	return err
}

// toCommit are the files of a project that a team shares.
type toCommit struct {
	Paths   []string `json:"paths"`   // that git does not have yet, as seen from the project
	Ignored []string `json:"ignored"` // that git ignores
	Command string   `json:"command"` // adds the paths, "" if there are none
	Merging bool     `json:"merging"` // a merge has left some in conflict, which comes first
}

// findUncommitted returns the files for everybody that git does not have as they are.
func (s *setup) findUncommitted(ctx context.Context) (*toCommit, error) {
	shared := []string{files.RootPath}
	changed := map[string]bool{files.RootPath: s.New || !s.Git.Chosen && s.Git.wanted}
	for _, report := range s.Clients {
		for _, change := range report.parts() {
			rel, err := filepath.Rel(s.project, change.Settings)
			if path := filepath.ToSlash(rel); err == nil && filepath.IsLocal(rel) && !slices.Contains(shared, path) {
				shared = append(shared, path)
				changed[path] = change.Changed
			}
		}
	}
	args := append([]string{"--literal-pathspecs", "ls-files", "-z", "--modified", "--others", "--exclude-standard",
		"--"}, shared...)
	listed, err := git.Run(ctx, s.project, args...)
	if err != nil {
		return nil, err
	}
	unmerged, err := git.Run(ctx, s.project, "ls-files", "--unmerged", "--", files.RootPath)
	if err != nil {
		return nil, err
	}
	edited := strings.Split(string(listed), "\x00")
	c := &toCommit{Paths: []string{}, Ignored: []string{}, Merging: len(unmerged) > 0}
	for _, path := range shared {
		asked := path
		if path == files.RootPath {
			asked = probe
		}
		isBelow := func(file string) bool { return file == path || strings.HasPrefix(file, path+"/") }
		_, notIgnored := git.Run(ctx, s.project, "check-ignore", "--quiet", "--", asked)
		switch {
		case notIgnored == nil:
			c.Ignored = append(c.Ignored, path)
		case slices.ContainsFunc(edited, isBelow) || s.DryRun && changed[path]:
			c.Paths = append(c.Paths, path)
		}
	}
	if len(c.Paths) > 0 {
		c.Command = addLine(s.project, c.Paths)
	}
	return c, ctx.Err()
}

// addLine is the command that adds files of a project, as it is typed in the working folder.
func addLine(project string, paths []string) string {
	line := "git add"
	if here := command.FromHere(project); here != "." {
		line = "git -C " + text.ShellWord(here) + " add"
	}
	for _, path := range paths {
		line += " " + text.ShellWord(path)
	}
	return line
}
