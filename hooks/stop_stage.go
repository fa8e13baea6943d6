package hooks

import (
	"fmt"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/text"
	"memctl/triage"
)

const (
	contextPrefix = "triage-"
	askedPrefix   = "asked-"
	// contextLife is how long context files are kept: longer than any session needs
	// to write its memories.
	contextLife = 24 * time.Hour
	// askedLife is how long a session's mark is kept.
	askedLife = 30 * 24 * time.Hour
)

// stopStage is what the stop hook keeps of one session in the staging folder.
type stopStage struct {
	staged  *memdir.Staged // nil if the folder cannot be used
	err     error          // why
	session string
}

func openStage(root memdir.Root, session string) *stopStage {
	staged, err := root.OpenStaging()
	return &stopStage{staged, err, sessionWord(session)}
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

// forgetOld removes the marks of sessions that ended long ago.
func (s *stopStage) forgetOld(now time.Time) {
	if s.staged != nil {
		s.staged.Sweep(askedPrefix, now.Add(-askedLife))
	}
}

// writeContext writes a context file for every item. If it cannot, the item goes
// without, and the note says so.
func (s *stopStage) writeContext(t *triage.Transcript, items []triage.Item, now time.Time) (note string) {
	if s.staged == nil {
		return fmt.Sprintf("memctl: no context files: %s\n", text.Brief(s.err.Error()))
	}
	s.staged.Sweep(contextPrefix, now.Add(-contextLife))
	for i := range items {
		item := &items[i]
		path, err := s.staged.Write(s.contextName(*item), t.Context(item.Result, item.Description))
		if err != nil {
			note += fmt.Sprintf("memctl: no context file for %s: %s\n", item.Category, text.Brief(err.Error()))
			continue
		}
		item.ContextFile = path
	}
	return note
}

func (s *stopStage) contextName(item triage.Item) string {
	name := contextPrefix
	if s.session != "" {
		name += s.session + "-"
	}
	return name + string(item.Category) + ".txt"
}

// maxSessionWord bounds a session's part of a file name.
const maxSessionWord = 40

// sessionWord is the part of a file's name that keeps sessions apart.
func sessionWord(session string) string {
	word := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, session)
	return word[:min(len(word), maxSessionWord)]
}
