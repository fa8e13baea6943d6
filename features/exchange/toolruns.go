package exchange

import (
	"fmt"
	"path"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/observe"
	"memctl/text"
)

// toolRuns finds the tool runs of transcripts that observations/ does not hold yet. It
// reads what is recorded again each time: hooks record at the same time.
type toolRuns struct {
	r        *reader
	sessions map[string]*sessionRuns // by their ids
	count    int
}

// maxRuns bounds the tool runs of one import.
const maxRuns = 1_000_000

// sessionRuns are the runs of one session.
type sessionRuns struct {
	calls                  map[string]bool // ids of what is recorded or was found
	added, recorded, older int
	last                   time.Time
	err                    error
}

// next calls use for each run that a line of a transcript ends and that is new.
func (t *toolRuns) next(
	transcript *clients.ClaudeRuns, name string, line []byte, use func(*sessionRuns, observe.Event),
) error {
	excluded, since, filter := t.r.w.Config.Observations.ExcludedTools, t.r.options.Since, t.r.w.Filter()
	for _, e := range transcript.Next(line) {
		if e.SessionID == "" {
			e.SessionID = sessionOf(name)
		}
		if observe.Excluded(excluded, e) {
			continue
		}
		s, err := t.session(e.SessionID)
		if err != nil {
			return err
		}
		call, _ := filter.Text(e.ToolUseID) // as an observation has it
		switch {
		case s.calls[call]:
			s.recorded++
		case !since.IsZero() && e.EndedAt.Before(since):
			s.older++
		default:
			s.added++
			s.calls[call] = true
			use(s, e)
			if t.count++; t.count > maxRuns {
				return tooMuch(fmt.Sprintf("more than %d tool runs; --since leaves out older ones", maxRuns))
			}
		}
	}
	return nil
}

// session returns the runs of a session.
func (t *toolRuns) session(id string) (*sessionRuns, error) {
	if s := t.sessions[id]; s != nil {
		return s, nil
	}
	if len(t.sessions) >= maxItems {
		return nil, tooMuch("more than " + text.Plural(maxItems, "session", "sessions"))
	}
	calls, err := observe.Calls(t.r.w.Root, id)
	if err != nil {
		calls = map[string]bool{}
	}
	t.sessions[id] = &sessionRuns{calls: calls, err: err}
	return t.sessions[id], nil
}

// observationsOf is the file of a session's observations, below the root.
func observationsOf(session string) string {
	return files.SessionsFolder + "/" + observe.SessionFile(session)
}

// sessionOf returns the session that a transcript is named after.
func sessionOf(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
