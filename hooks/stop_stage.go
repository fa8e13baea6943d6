package hooks

import (
	"errors"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

const (
	askedPrefix = "asked-"
	// contextLife is how long context files are kept: longer than any session needs
	// to write its memories.
	contextLife = 24 * time.Hour
	// markLife is how long a session's marks are kept.
	markLife = 30 * 24 * time.Hour
)

// stopStage is what the stop hook keeps of one session in the staging folder.
type stopStage struct {
	staged  *memdir.Staged // nil if the folder cannot be used
	err     error          // why
	session string         // "" if it is unknown
	turn    string         // likewise
}

func openStage(root memdir.Root, e Event) *stopStage {
	staged, err := root.OpenStaging()
	return &stopStage{staged, err, sessionKey(e.SessionID), sessionKey(e.PromptID)}
}

// StageFinds stages what was found in the transcript of a session for an agent, as the
// stop hook does, and returns the name of the file with the data.
func StageFinds(root memdir.Root, session string, t *triage.Transcript, items []triage.Item, models schemas.ParallelConfig, now time.Time) (data string, err error) {
	stage := openStage(root, Event{Event: observe.Event{SessionID: session}})
	defer stage.close()
	addFixes(root, session, items)
	return stage.write(t, items, models, now)
}

func (s *stopStage) close() {
	if s.staged != nil {
		s.staged.Close()
	}
}

// asked returns when the session was last asked to save its memories, zero for
// never. The hook does not ask again about what was said before: its words stay among
// the last messages for many turns.
func (s *stopStage) asked() time.Time {
	if s.staged == nil || s.session == "" {
		return time.Time{}
	}
	return s.staged.Written(askedPrefix + s.session)
}

// markAsked marks that the session was asked, and again when the agent has saved: the
// mark is the time of an empty file. If it fails, the session is asked again.
func (s *stopStage) markAsked() {
	if s.staged == nil || s.session == "" {
		return
	}
	_, _ = s.staged.Write(askedPrefix+s.session, "")
}

// markTurn marks that the session was asked in this turn, and reports whether that is
// new. The hook may be registered twice and run twice at once.
func (s *stopStage) markTurn() bool {
	if s.staged == nil || s.session == "" || s.turn == "" {
		return true
	}
	return s.staged.Mark(askedPrefix + s.session + "-" + s.turn)
}

// forgetOld removes the marks of sessions that ended long ago.
func (s *stopStage) forgetOld(now time.Time) {
	if s.staged != nil {
		s.staged.Sweep(askedPrefix, now.Add(-markLife))
	}
}

// write writes a context file for every item and a file with the data of all, and returns
// the name of the latter. Without a context file, an item stays as it is.
func (s *stopStage) write(t *triage.Transcript, items []triage.Item, models schemas.ParallelConfig, now time.Time) (data string, err error) {
	if s.staged == nil {
		return "", s.err
	}
	s.staged.Sweep(memdir.TriagePrefix, now.Add(-contextLife))
	for i := range items {
		item := &items[i]
		path, writeErr := s.staged.Write(s.name(string(item.Category)+".txt"), t.Context(item.Result, item.Description))
		if writeErr != nil {
			err = errors.Join(err, writeErr)
			continue
		}
		item.ContextFile = path
	}
	data = s.name("data.json")
	if _, writeErr := s.staged.Write(data, triage.Data(items, models)); writeErr != nil {
		return "", writeErr
	}
	return data, err
}

// name is the name of a file of this session.
func (s *stopStage) name(what string) string {
	if s.session == "" {
		return memdir.TriagePrefix + what
	}
	return memdir.TriagePrefix + s.session + "-" + what
}
