package observe

import (
	"time"

	"memctl/files"
)

const (
	askedPrefix = "asked-"
	// contextLife is how long context files are kept: longer than any session needs
	// to write its memories.
	contextLife = 24 * time.Hour
	// MarkLife is how long a session's marks are kept.
	MarkLife = 30 * 24 * time.Hour
)

// Stage is the state of one session in the staging folder: when it was asked to save
// its memories, and the excerpts for the agent.
type Stage struct {
	root    files.Root
	staged  *files.Staged // nil if the folder cannot be used
	err     error         // why
	id      string        // of the session
	session string        // its SessionKey, "" if it is unknown
}

// OpenStage opens the stage of a session.
func OpenStage(root files.Root, session string) *Stage {
	staged, err := root.OpenStaging()
	return &Stage{root, staged, err, session, SessionKey(session)}
}

// Close closes the staging folder.
func (s *Stage) Close() {
	if s.staged != nil {
		s.staged.Close()
	}
}

// LastAsked returns when the session was last asked to save its memories, zero for
// never. The hook does not ask again about what was said before: its words stay among
// the last messages for many turns.
func (s *Stage) LastAsked() time.Time {
	if s.staged == nil || s.session == "" {
		return time.Time{}
	}
	return s.staged.Written(askedPrefix + s.session)
}

// MarkAsked marks that the session was asked, and again when the agent has saved: the
// mark is the time of an empty file. If it fails, the session is asked again.
func (s *Stage) MarkAsked() {
	if s.staged == nil || s.session == "" {
		return
	}
	_, _ = s.staged.Write(askedPrefix+s.session, "")
}

// MarkTurn marks that the session was asked in this turn, and reports whether that is
// new. The hook may be registered twice and run twice at once.
func (s *Stage) MarkTurn(turn string) bool {
	if s.staged == nil || s.session == "" || turn == "" {
		return true
	}
	return s.staged.Mark(askedPrefix + s.session + "-" + SessionKey(turn))
}

// MarkCompared marks that the session was asked in this turn to compare its change with rules, and reports whether that
// is new, false where it cannot be marked.
func (s *Stage) MarkCompared(turn string) bool {
	return s.staged != nil && s.session != "" && (turn == "" || s.staged.Mark(s.comparedName(turn)))
}

// Compared reports whether MarkCompared marked this turn.
func (s *Stage) Compared(turn string) bool {
	return s.staged != nil && s.session != "" && !s.staged.Written(s.comparedName(turn)).IsZero()
}

func (s *Stage) comparedName(turn string) string {
	return askedPrefix + s.session + "-" + SessionKey(turn) + "-compared"
}

// ForgetOld removes the marks of sessions that ended long ago.
func (s *Stage) ForgetOld(now time.Time) {
	if s.staged != nil {
		s.staged.Sweep(askedPrefix, now.Add(-MarkLife))
		s.staged.Sweep(files.MomentsPrefix, now.Add(-MomentsLife))
	}
}

// Write writes a file for the agent and returns its path.
func (s *Stage) Write(what, text string) (path string, err error) {
	if s.staged == nil {
		return "", s.err
	}
	return s.staged.Write(s.name(what), text)
}

const (
	// MomentsLife is how long candidates are kept about which no session was asked.
	MomentsLife = 7 * 24 * time.Hour
	// maxMoments is the largest file of it, in bytes.
	maxMoments = 256 << 10
)

// Moments returns the record that KeepMoments stored for the session, nil for none.
func (s *Stage) Moments() []byte {
	if s.staged == nil || s.session == "" {
		return nil
	}
	data, _ := s.staged.Read(files.MomentsPrefix+s.session+".json", maxMoments)
	return data
}

// KeepMoments keeps what the session has said since it was asked.
func (s *Stage) KeepMoments(data []byte) error {
	if s.staged == nil || s.session == "" {
		return s.err
	}
	_, err := s.staged.Write(files.MomentsPrefix+s.session+".json", string(data))
	return err
}

// Sweep removes old files for agents.
func (s *Stage) Sweep(now time.Time) {
	if s.staged != nil {
		s.staged.Sweep(files.TriagePrefix, now.Add(-contextLife))
	}
}

// name is the name of a file of this session.
func (s *Stage) name(what string) string {
	if s.session == "" {
		return files.TriagePrefix + what
	}
	return files.TriagePrefix + s.session + "-" + what
}

// maxFixes is how many of a session's fixes a runbook's context names, the last ones.
const maxFixes = 5

// Fixes lists what failed in the session and worked later, as far as tools are observed.
func (s *Stage) Fixes() (lines []string) {
	fixes := LastFixes(s.root, s.id)
	for _, fix := range fixes[max(0, len(fixes)-maxFixes):] {
		lines = append(lines, fix.Line())
	}
	return lines
}
