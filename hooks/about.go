package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// maxAboutTool is how many memories one use of a tool gets at most.
const maxAboutTool = 2

// beforeTool keeps a tool from writing in a memory root, and gives the agent the memories
// that are about what the tool is about to do.
func beforeTool(ctx context.Context, c *Call) (Answer, error) {
	if c.Event.ToolName == "Agent" || c.Event.ToolName == "Task" { // its older name
		return Answer{}, c.noteFitting(ctx)
	}
	answer, err := guardFiles(ctx, c)
	if err != nil || answer.Deny != "" || c.client.AfterTool() && !c.client.Confirms() {
		return answer, err
	}
	results := c.memoriesAboutTool()
	if !c.client.AfterTool() {
		answer, err = c.giveAboutTool(ctx, results)
		answer = c.fixOfCommand(ctx, answer)
	}
	answer.Confirm = c.confirmation(results)
	c.unlogged = err == nil && answer == (Answer{}) && !c.Event.WritesFile()
	return answer, err
}

// memoriesAboutTool returns the memories of the project that are about the files or the command
// of a tool, and those of the user that are about the command.
func (c *Call) memoriesAboutTool() (results []retrieve.Result) {
	command := c.command()
	if command == "" && (len(c.Event.Paths) == 0 || !c.Event.WritesFile()) {
		return nil
	}
	if c.rootErr == nil {
		results = retrieve.About(c.root, retrieve.Action{Files: c.projectFiles(), Text: c.newText(), Command: command,
			Place: c.root.Part(c.Event.Cwd)})
	}
	if user, exists, err := files.UserRoot(); command != "" && err == nil && exists && !user.Is(c.root) {
		results = append(results, retrieve.About(user, retrieve.Action{Command: command})...)
	}
	return c.markNew(c.inUse(results))
}

// command returns the command line that the tool runs, "" for another tool.
func (c *Call) command() string {
	var input struct{ Command string }
	if c.Event.ToolName != "Bash" || json.Unmarshal(c.Event.Input, &input) != nil {
		return ""
	}
	return input.Command
}

// giveAboutTool answers with the memories about a tool, once a session each, also if the session had them
// before any act: a line of the digest may be far back, and a prompt's list has only the title. It reads no
// settings unless there is something.
func (c *Call) giveAboutTool(ctx context.Context, results []retrieve.Result) (Answer, error) {
	if len(results) == 0 {
		return Answer{}, nil
	}
	cfg, err := c.config(results[0].Root)
	if err != nil || !cfg.Moments.Tools {
		return Answer{}, err
	}
	results = c.withoutGiven(slices.Clone(results), observe.AtStart, observe.AtSubagent, observe.AtPrompt)
	results = c.withoutLoaded(cfg, results)
	return c.give(ctx, cfg, results[:min(len(results), maxAboutTool)]), nil
}

// maxAsked is how many code points of a constraint's rule the person is asked with.
const maxAsked = 300

// confirmation says why the person is to decide whether a tool runs: severe constraints are
// about it, the user has seen them, and lets those of their root ask. It is "" where there are none. Every
// use of the tool is asked about: the person may have refused the one before.
func (c *Call) confirmation(results []retrieve.Result) (reason string) {
	n := 0
	for _, r := range results {
		if !r.Severe || r.NewBy != "" || n == maxAboutTool || !c.client.Confirms() {
			continue
		}
		cfg, err := c.config(r.Root)
		switch {
		case err != nil || !cfg.Moments.Ask:
		case !store.Confirmed(r.Root):
			c.warn("constraint %q asks for your approval here, but moments.ask is not confirmed. In your own "+
				"shell, run: memctl config confirm moments.ask", text.Brief(r.Title))
		default:
			n++
			reason = joinLines(reason, fmt.Sprintf("memctl: constraint %q applies: %s (%s/%s)", text.Printable(r.Title),
				text.Printable(text.CutSentence(r.Sentence, maxAsked)), r.Root.Shown, r.Path))
		}
	}
	return reason
}

// give answers with memories, and notes that the session has got them.
func (c *Call) give(ctx context.Context, cfg schemas.Config, list []retrieve.Result) Answer {
	q := retrieve.Query{Strategy: schemas.Hybrid, MaxTokens: cfg.Retrieval.MaxTokens}
	retrieve.MarkOutdated(list, time.Now())
	block, results := retrieve.Block(q, list, nil)
	if block == "" {
		return Answer{}
	}
	c.noteGiven(ctx, observe.AtTool, results)
	c.recordInjections(ctx, cfg, observe.AtTool, results)
	return Answer{Context: block, Person: announcement(cfg, "", results)}
}

// newText is the text that a tool puts into a file.
func (c *Call) newText() string {
	var input struct {
		Content   string `json:"content"`
		NewString string `json:"new_string"`
		NewSource string `json:"new_source"`
	}
	_ = json.Unmarshal(c.Event.Input, &input) // a tool with other members writes no text that is known
	return cmp.Or(input.Content, input.NewString, input.NewSource)
}

// projectFiles returns the files that a tool writes, below the project and with slashes.
func (c *Call) projectFiles() (files []string) {
	for _, file := range c.Event.Paths {
		if !filepath.IsAbs(file) {
			file, _ = filepath.Abs(filepath.Join(c.Event.Cwd, file)) // else no place below the project
		}
		for _, at := range []string{file, resolved(file)} {
			below, err := filepath.Rel(c.root.Project, at)
			if below = filepath.ToSlash(below); err == nil && filepath.IsLocal(below) &&
				!slices.Contains(files, below) {
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
