package hooks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

const (
	errSubagent = Silence("a subagent is not asked")
	errNotYet   = Silence("not enough to ask about yet")
	errNoTurn   = Silence("the transcript holds nothing new since the last stop")
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
		return Answer{}, errNoTurn
	}
	changed, asks, saved := root.LastChange(), false, false
	if w.Turns > 0 && changed.After(w.Saved) { // by a command, or by another session
		turns[len(turns)-1].Saved = true
	}
	for _, t := range turns {
		saved = saved || t.Saved
		asks = w.Add(t).Asks
	}
	w.Reading, w.Saved = read, changed
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	marked := !asks || stage.MarkTurn(e.PromptID)
	asks = asks && marked
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
	case !marked:
		return Answer{}, errAsked
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

// Candidate is a line of a session that nobody was asked about. It waits for observe.MomentsLife.
type Candidate struct {
	ID string `json:"id"`
	triage.Find
	Said time.Time `json:"said"` // when the session was looked at last
	file string
}

const (
	// maxSessions is how many sessions have candidates.
	maxSessions = 20
	// maxWatch is the largest file of a session, in bytes.
	maxWatch = 256 << 10
)

// Waiting returns the candidates of all sessions of a root.
func Waiting(root memdir.Root) (list []Candidate, err error) {
	err = eachWatch(root, func(_ *memdir.Staged, f memdir.StagedFile, w triage.Watch) error {
		for _, find := range w.Waiting() {
			sum := sha256.Sum256([]byte(f.Name + find.Text))
			list = append(list, Candidate{hex.EncodeToString(sum[:4]), find, f.Written.UTC().Truncate(time.Second), f.Name})
		}
		return nil
	})
	return list, err
}

// ErrNoLine is the error for an id that no line has.
var ErrNoLine = errors.New("no line has the id")

// WaitingLine returns the candidate with an id.
func WaitingLine(root memdir.Root, id string) (Candidate, error) {
	list, err := Waiting(root)
	for _, c := range list {
		if c.ID == id {
			return c, nil
		}
	}
	return Candidate{}, cmp.Or(err, fmt.Errorf("%w %q", ErrNoLine, id))
}

// Settle removes a candidate, which was saved or is not wanted.
func Settle(root memdir.Root, c Candidate) error {
	return c.rewrite(root, func(w *triage.Watch) { w.Drop(c.Find) })
}

// Wait puts back a candidate that was settled.
func Wait(root memdir.Root, c Candidate) error {
	return c.rewrite(root, func(w *triage.Watch) {
		w.Drop(c.Find)
		w.Finds = append([]triage.Find{c.Find}, w.Finds...)
	})
}

// rewrite changes what is kept of the candidate's session.
func (c Candidate) rewrite(root memdir.Root, change func(*triage.Watch)) error {
	return eachWatch(root, func(staged *memdir.Staged, f memdir.StagedFile, w triage.Watch) error {
		if f.Name != c.file {
			return nil
		}
		change(&w)
		data, _ := json.Marshal(w) // texts, numbers and times: cannot fail
		_, err := staged.Write(f.Name, string(data))
		return err
	})
}

// eachWatch calls use for what is kept of the last sessions.
func eachWatch(root memdir.Root, use func(*memdir.Staged, memdir.StagedFile, triage.Watch) error) error {
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	defer staged.Close()
	files, err := staged.Moments()
	oldest := time.Now().Add(-observe.MomentsLife)
	for _, f := range files[:min(maxSessions, len(files))] {
		var w triage.Watch
		data, readErr := staged.Read(f.Name, maxWatch)
		if f.Written.Before(oldest) || readErr != nil || json.Unmarshal(data, &w) != nil {
			continue
		}
		err = errors.Join(err, use(staged, f, w))
	}
	return err
}

// announceWaiting says in a line how many candidates there are.
func (c *Call) announceWaiting(root memdir.Root) string {
	list, err := Waiting(root)
	if err != nil || len(list) == 0 {
		return ""
	}
	return "memctl: " + text.Plural(len(list), "line", "lines") +
		` of earlier sessions may be worth a memory; "memctl stage list" shows them.`
}
