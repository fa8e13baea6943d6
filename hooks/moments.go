package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

const (
	errSubagent = Silence("a subagent is not asked")
	errNotYet   = Silence("too little was said since the agent was asked for memories")
)

// askOfMoments adds the turns since the last stop to what the session has said, and asks the
// agent once there is enough.
func (c *Call) askOfMoments(
	ctx context.Context, root memdir.Root, cfg schemas.Config, stage *observe.Stage,
) (Answer, error) {
	e := c.Event
	if e.AgentID != "" {
		return Answer{}, errSubagent
	}
	var w triage.Watch
	_ = json.Unmarshal(stage.Moments(), &w) // else it begins anew
	turns, read, err := c.readTurns(ctx, w, cfg)
	if err != nil {
		return Answer{}, err
	}
	if len(turns) == 0 {
		return Answer{}, errNothingNew
	}
	changed, asks, saved := root.LastChange(), false, false
	if w.Turns > 0 && changed.After(w.Saved) { // by a command, or by another session
		turns[len(turns)-1].Saved = true
	}
	for _, t := range turns {
		saved = saved || t.Saved
		asks = w.Add(t).Asks
	}
	w.Read, w.Saved = read, changed
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	asks = asks && stage.MarkTurn(e.PromptID)
	var a Answer
	if asks {
		a.Ask = w.AskOfMoments(c.saveBy(root))
		a.Person = fmt.Sprintf("memctl: asks whether the next session must know something since turn %d", w.Since)
		w.Reset()
	}
	data, _ := json.Marshal(w) // texts, numbers and times: cannot fail
	if err := stage.KeepMoments(data); err != nil {
		c.warn("what was said cannot be kept until the next turn: %v", err)
	}
	switch {
	case saved:
		return savedAnswer, nil
	case !asks:
		return Answer{}, errNotYet
	}
	stage.MarkAsked()
	// Without it, the client's stop_hook_active lets the next stop through.
	_ = memdir.SetStopFlag(cmp.Or(e.Cwd, "."), observe.SessionKey(e.SessionID))
	return a, nil
}

// savedAnswer tells the person of a save.
var savedAnswer = Answer{Person: "memctl: a memory was saved or changed"}

// tellOfSave lets the stop after a question through, and tells the person if the agent has saved.
func tellOfSave(root memdir.Root, stage *observe.Stage) (Answer, error) {
	var w triage.Watch
	changed := root.LastChange()
	if json.Unmarshal(stage.Moments(), &w) != nil || !changed.After(w.Saved) {
		return Answer{}, errAsked
	}
	w.Saved = changed
	data, _ := json.Marshal(w)  // texts, numbers and times: cannot fail
	_ = stage.KeepMoments(data) // else the next stop says it again
	return savedAnswer, nil
}

// saveBy names what saves a text: the tool only if the client has it.
func (c *Call) saveBy(root memdir.Root) string {
	const command = `memctl add "TEXT"`
	if os.Getenv("CLAUDE_PLUGIN_ROOT") == "" && !c.client.HasServer(root.Project) {
		return command
	}
	return saveTool() + " (a text is enough) or " + command
}

// hint says when to save a memory, at a session's start and after its context was emptied.
func (c *Call) hint(root memdir.Root) string {
	return strings.Join([]string{
		"Save what the next session of this project must know as soon as it comes up, with " + c.saveBy(root) + ":",
		"- what the user corrects, or lays down for good",
		"- a choice between alternatives, and why",
		"- a cause found after failures; a limit of something outside",
		"- work that is put off",
		"In one or two sentences, and nothing that code or git shows. Most turns have nothing.",
	}, "\n")
}
