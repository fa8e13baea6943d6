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

	"github.com/clipperhouse/displaywidth"
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
	if err != nil || answer.Deny != "" {
		return answer, err
	}
	results := c.memoriesAboutTool()
	if answer.Confirm = c.confirmation(results); answer.Confirm == "" {
		if paused := c.pause(ctx, results); paused.Deny != "" {
			return paused, nil
		}
	}
	c.noteTried(ctx, results, answer.Confirm != "")
	if !c.client.AfterTool() {
		reason := answer.Confirm
		answer, err = c.giveAboutTool(ctx, results)
		answer = c.fixOfCommand(ctx, answer)
		answer.Confirm = reason
	}
	c.unlogged = err == nil && answer == (Answer{}) && !c.Event.WritesFile()
	return answer, err
}

// memoriesAboutTool returns the memories of the project that are about the files or the command
// of a tool, and those of the user that are about the command. A command that writes files edits them.
func (c *Call) memoriesAboutTool() (results []retrieve.Result) {
	command, paths := c.command(), c.Event.Paths
	switch isEdit := c.Event.WritesFile() && len(paths) > 0; {
	case command != "":
		paths = observe.Written(text.Truncate(command, maxWritten))
	case c.Event.ToolName == "Read" && c.readFile() != "":
		paths = []string{c.readFile()}
	case !isEdit:
		return nil
	}
	if c.rootErr == nil {
		results = retrieve.About(c.root, retrieve.Action{Files: c.below(paths), Text: cmp.Or(c.newText(), command),
			Command: command, Runs: c.below(observe.Ran(text.Truncate(command, maxWritten))),
			Place: c.root.Part(c.Event.Cwd), Reads: c.Event.ToolName == "Read", Added: c.addedLines})
	}
	if user, exists, err := files.UserRoot(); command != "" && err == nil && exists && !user.Is(c.root) {
		results = append(results, retrieve.About(user, retrieve.Action{Command: command})...)
	}
	return c.markNew(c.inUse(results))
}

// readFile returns the file that Read reads.
func (c *Call) readFile() string {
	var input struct {
		FilePath string `json:"file_path"`
	}
	_ = json.Unmarshal(c.Event.Input, &input) // of another form, it reads no file that is known
	return input.FilePath
}

// maxWritten is how many code points of a command line are searched for the files that it writes.
const maxWritten = 16 << 10

// command returns the command line that the tool runs, "" for another tool.
func (c *Call) command() string {
	var input struct{ Command string }
	if c.Event.ToolName != "Bash" || json.Unmarshal(c.Event.Input, &input) != nil {
		return ""
	}
	return input.Command
}

// giveAboutTool answers with the memories about a tool, once a session each, and what stands again after some turns,
// also if the session had them before any act: a line of the digest may be far back, and a prompt's list has only the
// title. It reads no settings unless there is something.
func (c *Call) giveAboutTool(ctx context.Context, results []retrieve.Result) (Answer, error) {
	if len(results) == 0 {
		return Answer{}, nil
	}
	cfg, err := c.config(results[0].Root)
	if err != nil || !cfg.Moments.Tools {
		return Answer{}, err
	}
	results = c.withoutLately(cfg, slices.Clone(results))
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

// pause stops a call that a severe constraint forbids which the user has seen: once a session, or once more after its
// context was emptied, so that the agent reads the rule before the act. Where that cannot be noted, the call runs.
func (c *Call) pause(ctx context.Context, results []retrieve.Result) Answer {
	for _, r := range results {
		if !r.Severe || !r.Forbids || r.NewBy != "" || c.contextID() == "" ||
			c.store.Judge().Untold(r.Root, r.Path) {
			continue
		}
		cfg, err := c.config(r.Root)
		held := files.Version{Root: r.Root.Key(), Path: observe.AtPause + "/" + r.Path}
		if err != nil || !cfg.Moments.Pause || observe.ReadGiven(c.contextID())[held] || ctx.Err() != nil ||
			observe.NoteGiven(c.contextID(), observe.AtPause, []files.Version{held}) != nil {
			continue
		}
		c.noteGiven(ctx, observe.AtTool, []retrieve.Result{r})
		c.recordInjections(ctx, cfg, observe.AtTool, []retrieve.Result{r})
		c.noteStopped(cfg, r)
		title, rule := text.Printable(r.Title), ""
		if r.Sentence != "" {
			rule = ": " + text.Printable(text.CutSentence(r.Sentence, maxAsked))
		}
		return Answer{
			Deny: fmt.Sprintf("memctl stops this call once: constraint %q forbids it%s (%s/%s). If it is right "+
				"here all the same, repeat the call: it goes through.", title, rule, r.Root.Shown, r.Path),
			Person: displaywidth.TruncateString("memctl: stopped a call once: "+title, maxAnnouncement, "…"),
		}
	}
	return Answer{}
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

// below returns files by their paths below the project, with slashes, and those to which links among them lead.
func (c *Call) below(paths []string) (files []string) {
	for _, file := range paths {
		if !filepath.IsAbs(file) {
			file, _ = filepath.Abs(filepath.Join(c.Event.Cwd, file)) // else no place below the project
		}
		target, _ := filepath.EvalSymlinks(file) // "" below no project
		for _, at := range []string{file, resolved(file), target} {
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
