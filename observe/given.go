package observe

import (
	"time"

	"memctl/memdir"
)

const (
	givenPrefix = "given-"
	// givenLimit is the size at which the file of a session starts over, in bytes: some
	// thousand memories. The old file is kept until the next time.
	givenLimit = 128 << 10
)

// ReadGiven returns which memories a session has got since it started, or since its context
// was last emptied, each as its file was then. A file of the session in the user's state folder
// says so. A session without an id, and one whose file cannot be read, has got nothing.
func ReadGiven(session string) map[memdir.Version]bool {
	had := map[memdir.Version]bool{}
	if session != "" {
		_, _ = readRecord(givenPrefix+SessionKey(session), givenLimit, func(g memdir.Version) bool {
			had[g] = true
			return false
		})
	}
	return had
}

// NoteGiven adds what a session got.
func NoteGiven(session string, list []memdir.Version) error {
	if session == "" || len(list) == 0 {
		return nil
	}
	return appendRecord(givenPrefix+SessionKey(session), givenLimit, list...)
}

// ForgetGiven forgets what a session got, because its context is empty, and what sessions
// got that ended long ago.
func ForgetGiven(session string, now time.Time) {
	state, err := memdir.OpenState()
	if err != nil {
		return
	}
	defer state.Close()
	state.Sweep(givenPrefix, now.Add(-MarkLife))
	if session != "" {
		state.Sweep(givenPrefix+SessionKey(session), now.Add(time.Minute)) // whatever it is dated
	}
}
