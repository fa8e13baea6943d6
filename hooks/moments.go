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

	"memctl/files"
	"memctl/observe"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

const (
	errSubagent = Silence("a subagent is not asked")
	errNotYet   = Silence("not enough to ask about yet")
	errNoTurn   = Silence("the transcript has nothing new since the last stop")
)

// askOfMoments adds the turns since the last stop to the watch of the session, and asks the
// agent once there is enough.
func (c *Call) askOfMoments(
	ctx context.Context, root files.Root, cfg schemas.Config, stage *observe.Stage,
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
	changed, summed, saved := root.LastChange(), root.LastChangeOf(schemas.SessionSummary), false
	switch {
	case w.Turns == 0:
		w.Work.Summed = summed
	case changed.After(w.Saved): // by a command, or by another session
		turns[len(turns)-1].Saved = true
	}
	var removed privacy.Report
	for _, t := range turns {
		saved = saved || t.Saved
		removed.Add(t.Privacy)
		w.Add(t)
	}
	w.Reading, w.Saved = read, changed
	w.Work.SavedSummary(summed)
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	q := w.Question(cfg)
	marked := !q.Asks() || stage.MarkTurn(e.PromptID)
	asks := q.Asks() && marked
	a := Answer{Person: tellOfPrivate(removed)}
	if asks {
		a.Ask = q.Text(c.saveBy(root))
		a.Person = joinLines(askedLine(q), a.Person)
		w.Forget(q)
	}
	data, _ := json.Marshal(w) // texts, numbers and times: cannot fail
	if err := stage.KeepMoments(data); err != nil {
		c.warn("the candidates of this turn cannot be kept until the next one: %v", err)
	}
	switch {
	case asks:
		stage.MarkAsked()
		// Without it, the client's stop_hook_active lets the next stop through.
		_ = files.SetStopFlag(cmp.Or(e.Cwd, "."), observe.SessionKey(e.SessionID))
	case saved:
		a.Person = joinLines(savedAnswer.Person, a.Person)
	case a.Person != "":
	case !marked:
		return Answer{}, errAsked
	default:
		return Answer{}, errNotYet
	}
	return a, nil
}

// askedLine describes the question to the agent for the person.
func askedLine(q triage.Question) string {
	line := fmt.Sprintf("memctl: asking the agent whether anything since turn %d is worth saving", q.Since)
	if q.Summary {
		line += ", and where the work stands"
	}
	return line
}

// tellOfPrivate tells the person of private sections in a turn, and of tags that open or close
// none; "" if there are none.
func tellOfPrivate(removed privacy.Report) string {
	if removed.PrivateCount == 0 && len(removed.Warnings) == 0 {
		return ""
	}
	return "memctl: " + strings.Join(removed.Lines(), "\nmemctl: ")
}

// savedAnswer tells the person of a save.
var savedAnswer = Answer{Person: "memctl: a memory was saved or changed"}

// tellOfSave lets the stop after a question through, and tells the person if the agent has saved.
func tellOfSave(root files.Root, stage *observe.Stage) (Answer, error) {
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

// saveBy names the means to save a text: the tool only if the client has it.
func (c *Call) saveBy(root files.Root) string {
	const command = `memctl add CATEGORY "TEXT"`
	if os.Getenv("CLAUDE_PLUGIN_ROOT") == "" && !c.client.HasServer(root.Project) {
		return command
	}
	return saveTool() + " (category and text are enough) or " + command
}

// hinted are the kinds of memories that hint names, a line each, with the categories that they are of.
var hinted = [][]struct {
	kind       string
	categories []schemas.Category
}{
	{{"a correction or a standing rule from the user", []schemas.Category{schemas.Preference, schemas.Constraint}}},
	{{"a choice between alternatives, and the reason", []schemas.Category{schemas.Decision}}},
	{{"the cause of a failure", []schemas.Category{schemas.Runbook}},
		{"a limit of an external system", []schemas.Category{schemas.Constraint}}},
	{{"work that is put off", []schemas.Category{schemas.TechDebt}},
		{"the state of long work when it is interrupted", []schemas.Category{schemas.SessionSummary}}},
}

// hint says when to save a memory of the categories that the agent is asked for, at a session's
// start and after its context was emptied; "" if there are none.
func (c *Call) hint(root files.Root, cfg schemas.Config) string {
	wants := func(category schemas.Category) bool {
		return cfg.Captures(category) && (category != schemas.SessionSummary || triage.WantsSummaries(cfg))
	}
	lines := []string{"As soon as something comes up that the next session of this project must know, save it, " +
		"before the turn ends, with " + c.saveBy(root) + ":"}
	for _, line := range hinted {
		var kinds []string
		for _, k := range line {
			var names []string
			for _, category := range k.categories {
				if wants(category) {
					names = append(names, string(category))
				}
			}
			if len(names) > 0 {
				kinds = append(kinds, strings.Join(names, " or ")+": "+k.kind)
			}
		}
		if len(kinds) > 0 {
			lines = append(lines, "- "+strings.Join(kinds, "; "))
		}
	}
	if len(lines) == 1 {
		return ""
	}
	lines = append(lines, triage.Purposes(cfg)...)
	lines = append(lines, "Write one or two sentences, with the refused options. Skip what code or git shows. Most "+
		"turns have nothing to save.")
	return strings.Join(lines, "\n")
}

// Candidate is a line of a session that nobody was asked about. It waits for observe.MomentsLife.
type Candidate struct {
	ID string `json:"id"`
	triage.Find
	SeenAt time.Time `json:"said"` // when the session was looked at last
	file   string
}

const (
	// maxSessions is how many sessions have candidates.
	maxSessions = 20
	// maxWatch is the largest file of a session, in bytes.
	maxWatch = 256 << 10
)

// Waiting returns the candidates of all sessions of a root, of the categories that an agent is asked for.
func Waiting(root files.Root) (list []Candidate, err error) {
	cfg, _, _ := root.Config() // with an error, the defaults
	err = eachWatch(root, func(_ *files.Staged, f files.StagedFile, w triage.Watch) error {
		w.Finds = triage.Captured(w.Finds, cfg)
		for _, find := range w.Waiting() {
			sum := sha256.Sum256([]byte(f.Name + find.Text))
			list = append(list, Candidate{hex.EncodeToString(sum[:4]), find, f.Written.UTC().Truncate(time.Second),
				f.Name})
		}
		return nil
	})
	return list, err
}

// ErrNoLine is the error for an id that no line has.
var ErrNoLine = errors.New("no line has the id")

// WaitingLine returns the candidate with an id.
func WaitingLine(root files.Root, id string) (Candidate, error) {
	list, err := Waiting(root)
	for _, c := range list {
		if c.ID == id {
			return c, nil
		}
	}
	return Candidate{}, cmp.Or(err, fmt.Errorf("%w %q", ErrNoLine, id))
}

// Settle removes a candidate, which was saved or is not wanted.
func Settle(root files.Root, c Candidate) error {
	return c.rewrite(root, func(w *triage.Watch) { w.Drop(c.Find) })
}

// Wait puts back a candidate that was settled.
func Wait(root files.Root, c Candidate) error {
	return c.rewrite(root, func(w *triage.Watch) {
		w.Drop(c.Find)
		w.Finds = append([]triage.Find{c.Find}, w.Finds...)
	})
}

// rewrite changes the watch of the candidate's session.
func (c Candidate) rewrite(root files.Root, change func(*triage.Watch)) error {
	return eachWatch(root, func(staged *files.Staged, f files.StagedFile, w triage.Watch) error {
		if f.Name != c.file {
			return nil
		}
		change(&w)
		data, _ := json.Marshal(w) // texts, numbers and times: cannot fail
		_, err := staged.Write(f.Name, string(data))
		return err
	})
}

// eachWatch calls use for the watches of the last sessions.
func eachWatch(root files.Root, use func(*files.Staged, files.StagedFile, triage.Watch) error) error {
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
func (c *Call) announceWaiting(root files.Root) string {
	list, err := Waiting(root)
	if err != nil || len(list) == 0 {
		return ""
	}
	return "memctl: " + text.Plural(len(list), "line", "lines") +
		` of earlier sessions may be worth a memory; "memctl stage list" shows them.`
}
