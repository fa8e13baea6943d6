package hooks

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
	"memctl/observe"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// afterTool records what a tool did, then checks a file that the tool wrote in a
// memory root past the guard.
func afterTool(ctx context.Context, c *Call) (Answer, error) {
	c.noteTurn()
	c.noteRan()
	opened := c.opened()
	c.noteChanged()
	recordErr := recovered(func() error { return c.record(ctx) })
	files, err := c.memoryPlaces()
	if len(files) == 0 {
		if recordErr != nil {
			err = recordErr
		}
		var answer Answer
		if err == nil && (c.client.AfterTool() || c.Event.ToolName == "Read" && !c.Event.Failed) {
			answer, err = c.giveAboutTool(ctx, c.memoriesAboutTool())
		}
		if err == nil && (c.client.AfterTool() || c.Event.Failed) {
			answer = c.fixOfCommand(ctx, answer)
		}
		answer.Person = joinLines(answer.Person, opened)
		c.unlogged = err == nil && answer == (Answer{})
		return answer, err
	}
	if recordErr != nil {
		c.note("%s", text.Printable(recordErr.Error()))
	}
	answer := Answer{Person: opened}
	for _, places := range files {
		a, err := c.checkWritten(ctx, places[len(places)-1]) // the last is where links lead
		if err != nil {
			return Answer{}, err
		}
		answer.Block = joinLines(answer.Block, a.Block)
	}
	return answer, nil
}

// opened names to the person what the agent opened: by a command, the tool of the server, or as a file.
func (c *Call) opened() string {
	c.noteOpened()
	if c.rootErr != nil {
		return ""
	}
	titles := c.root.TakeOpened()
	if len(titles) == 0 {
		return ""
	}
	slices.Sort(titles)
	titles = slices.Compact(titles)
	return announced("the agent opened "+text.Plural(len(titles), "memory", "memories"), titles)
}

// noteOpened notes that the agent opened the file of a memory.
func (c *Call) noteOpened() {
	file := c.readFile()
	if c.Event.ToolName != "Read" || !strings.HasSuffix(file, ".json") {
		return
	}
	user, _, _ := files.UserRoot()
	for _, root := range []files.Root{c.root, user} {
		for _, at := range []string{file, resolved(file)} {
			below, err := filepath.Rel(root.Path, at)
			if below = filepath.ToSlash(below); root.Path == "" || err != nil || !observe.HasPlainID(below) {
				continue
			}
			c.store.NoteOpened(c.Event.SessionID, root, below)
			return
		}
	}
}

// noteChanged notes the files that a tool changed, for the memories that the agent saves in this turn.
// Those that a command wrote are noted for the end of the turn alone.
func (c *Call) noteChanged() {
	e, paths, command := &c.Event, c.Event.Paths, c.command()
	switch {
	case c.rootErr != nil:
		return
	case command != "":
		paths = observe.Written(text.Truncate(command, maxWritten))
	case !e.WritesFile() || e.ToolName == "":
		return
	}
	if len(paths) > 0 { // no one waits for it
		_ = observe.NoteTurnFiles(c.root, e.SessionID, e.PromptID, c.below(paths), command != "")
	}
}

// afterFailure records that a tool failed, and gives what made its command work before.
func afterFailure(ctx context.Context, c *Call) (answer Answer, err error) {
	c.Event.Failed = true
	c.noteTurn()
	c.noteRan()
	if err = c.record(ctx); err == nil {
		answer = c.fixOfCommand(ctx, answer)
	}
	c.unlogged = err == nil && answer == (Answer{})
	return answer, err
}

// record appends an observation of the tool to the session's file, if the project
// wants it.
func (c *Call) record(ctx context.Context) error {
	root, err := c.Root()
	if errors.Is(err, files.ErrNoRoot) {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Event.ToolName == "" {
		return nil
	}
	e := &c.Event.Event
	cfg, _, err := root.Config()
	if err != nil {
		return fmt.Errorf("read %s: %w", files.ConfigName, err)
	}
	if e.Unsettled && cfg.Observations.Enabled {
		c.settle(e)
	}
	report, err := observe.Record(ctx, root, cfg, *e, time.Now())
	for _, sentence := range report.Lines() {
		c.note("%s", sentence)
	}
	return err
}

// settle looks in the transcript how a tool ended, if the event does not say so.
func (c *Call) settle(e *observe.Event) {
	file, size, err := c.openTranscript()
	if err != nil {
		return
	}
	defer file.Close()
	code, known := c.client.ExitCode(file, size, e.ToolUseID)
	e.Unsettled = !known
	if code != 0 {
		e.Exited(code, schemas.String(e.Output))
	}
}

// checkWritten sets an invalid file aside and indexes a valid one. It does so
// whether or not the tool failed: what counts is the file.
func (c *Call) checkWritten(ctx context.Context, in files.Inside) (Answer, error) {
	if in.IsConfig() || in.Path == ".gitignore" {
		return Answer{}, nil
	}
	root, err := c.open(in)
	if err != nil {
		return Answer{}, err
	}
	if info, err := gate.Lstat(root.Join(in.Path)); err != nil || info.IsDir() {
		return Answer{}, err // no tool wrote a file there
	}
	if !strings.HasSuffix(in.Path, ".json") {
		return Answer{Block: text.Brief(root.Shown+"/"+in.Path) + " is not a memory file. Only memctl may write in a " +
			"memory root. Delete the file if you created it; otherwise revert your change."}, nil
	}
	if aside, violations, err := store.SetAside(ctx, root, in.Path); len(violations) > 0 {
		return Answer{Block: c.invalid(root, in.Path, aside, violations, err)}, nil
	}
	if err := c.store.Record(ctx, root, in.Path); err != nil {
		return Answer{}, err
	}
	return checkPrivate(root, in.Path)
}

// maxViolations bounds the violations that the agent reads at once.
const maxViolations = 10

// invalid says what is wrong with a file, and that it was set aside, or why it was not.
func (c *Call) invalid(root files.Root, at, aside string, violations []schemas.Violation, err error) string {
	var b strings.Builder
	shown, conflict := text.Brief(root.Shown+"/"+at), errors.Is(err, store.ErrConflict)
	blocked := new(files.QuarantineError)
	switch {
	case err == nil:
		fmt.Fprintf(&b, "%s is not a valid memory. memctl renamed it to %s and ignores it:\n", shown,
			text.Brief(path.Base(aside)))
	case conflict:
		fmt.Fprintf(&b, "%s has an unresolved merge conflict:\n", shown)
	default:
		advice := "Delete it"
		if errors.As(err, &blocked) && blocked.NeedsUser() {
			advice = "Tell the user, who has to fix that first"
		}
		fmt.Fprintf(&b, "%s is not a valid memory and could not be moved aside (%s). %s:\n", shown,
			text.Brief(err.Error()), advice)
	}
	for _, v := range violations[:min(len(violations), maxViolations)] {
		fmt.Fprintf(&b, "- %s\n", text.Brief(v.String()))
	}
	if n := len(violations) - maxViolations; n > 0 {
		fmt.Fprintf(&b, "- and %d more\n", n)
	}
	if conflict {
		return strings.TrimSuffix(b.String(), "\n")
	}
	fmt.Fprintf(&b, "To save the corrected memory, %srun: %s", c.tool(root), c.createLine(root, at))
	return b.String()
}

// checkPrivate asks the agent to remove what memctl would not have stored. It leaves
// the file as it is, because an editor may have it open.
func checkPrivate(root files.Root, at string) (Answer, error) {
	secrets, err := store.Private(root, at)
	if err != nil || secrets == "" {
		return Answer{}, err
	}
	return Answer{Block: fmt.Sprintf("%s contains %s. Remove that now: memctl scrub %s",
		text.Brief(root.Shown+"/"+at), secrets, text.Brief(at))}, nil
}
