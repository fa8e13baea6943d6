package hooks

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
)

// maxAboutTool is how many memories one use of a tool gets at most.
const maxAboutTool = 2

// beforeTool keeps a tool from writing in a memory root, and gives the agent the memories
// that are about what the tool is about to do.
func beforeTool(ctx context.Context, c *Call) (Answer, error) {
	answer, err := guardFiles(ctx, c)
	if err != nil || answer.Deny != "" || c.client.AfterTool() {
		return answer, err
	}
	answer, err = c.aboutTool(ctx)
	c.unlogged = err == nil && answer == (Answer{}) && !c.Event.WritesFile()
	return answer, err
}

// aboutTool answers with the memories that are about the files or the command of a tool,
// once a session each. It reads no settings and opens no index unless there are some.
func (c *Call) aboutTool(ctx context.Context) (Answer, error) {
	var command string
	switch {
	case c.Event.ToolName == "Bash":
		var input struct{ Command string }
		if json.Unmarshal(c.Event.Input, &input) != nil || input.Command == "" {
			return Answer{}, nil
		}
		command = input.Command
	case len(c.Event.Paths) == 0 || !c.Event.WritesFile():
		return Answer{}, nil
	}
	var found []retrieve.Result
	if c.rootErr == nil {
		found = retrieve.About(c.root, retrieve.Action{Files: c.projectFiles(), Command: command})
	}
	if user, exists, err := memdir.UserRoot(); command != "" && err == nil && exists && !user.Is(c.root) {
		found = append(found, retrieve.About(user, retrieve.Action{Command: command})...)
	}
	if len(found) == 0 {
		return Answer{}, nil
	}
	cfg, err := c.config(found[0].Root)
	if err != nil || !cfg.Moments.Tools {
		return Answer{}, err
	}
	found = c.withoutLoaded(cfg, c.withoutGiven(found))
	return c.give(ctx, cfg, found[:min(len(found), maxAboutTool)]), nil
}

// give answers with memories, and notes that the session has got them.
func (c *Call) give(ctx context.Context, cfg schemas.Config, list []retrieve.Result) Answer {
	q := retrieve.Query{Strategy: schemas.Hybrid, MaxTokens: cfg.Retrieval.MaxTokens}
	retrieve.MarkOutdated(list, time.Now())
	block, given := retrieve.Block(q, list, nil)
	if block == "" {
		return Answer{}
	}
	c.noteGiven(ctx, given)
	c.recordInjections(ctx, cfg, given)
	return Answer{Context: block, Person: announcement(cfg, given)}
}

// projectFiles returns the files that a tool writes, below the project and with slashes.
func (c *Call) projectFiles() (files []string) {
	for _, file := range c.Event.Paths {
		if !filepath.IsAbs(file) {
			file, _ = filepath.Abs(filepath.Join(c.Event.Cwd, file)) // else no place below the project
		}
		for _, at := range []string{file, resolved(file)} {
			below, err := filepath.Rel(c.root.Project, at)
			if below = filepath.ToSlash(below); err == nil && filepath.IsLocal(below) && !slices.Contains(files, below) {
				files = append(files, below)
			}
		}
	}
	return files
}

// resolved returns the path of a file, which need not exist, without links in its folder.
func resolved(file string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return file
	}
	return filepath.Join(folder, filepath.Base(file))
}
