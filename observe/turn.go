package observe

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/gate"
)

const (
	turnPrefix = "turn-"
	// turnLimit is the size at which the file of a root starts over, in bytes: some hundred files. The old file is
	// kept until the next time.
	turnLimit = 32 << 10
	// turnLife is how long a changed file counts as one of the turn.
	turnLife = time.Hour
	// maxTurnFiles is how many files of a turn a memory names.
	maxTurnFiles = 5
	// maxTurnPath is the longest path that is noted, in bytes.
	maxTurnPath = 500
)

// changedFile is a file that an agent changed in a turn.
type changedFile struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`        // of SessionKey
	Turn    string    `json:"turn,omitempty"` // of SessionKey, "" if the client names no turns
	File    string    `json:"file"`           // below the project, with slashes
	// Command is set if a command wrote the file: it may be what a program made, so no memory names it.
	Command bool `json:"command,omitempty"`
}

// NoteTurnFiles notes the files of a root's project that an agent has changed, maybe by a command, below the project
// and with slashes.
func NoteTurnFiles(root files.Root, session, turn string, paths []string, byCommand bool) error {
	now := time.Now().UTC().Truncate(time.Second)
	var list []changedFile
	for _, file := range paths {
		inRoot := filepath.ToSlash(files.RootPath)
		if len(file) <= maxTurnPath && file != inRoot && !strings.HasPrefix(file, inRoot+"/") {
			list = append(list, changedFile{now, SessionKey(session), SessionKey(turn), file, byCommand})
		}
	}
	if session == "" || len(list) == 0 {
		return nil
	}
	return appendRecord(turnPrefix+root.Key(), turnLimit, list...)
}

// TurnFiles returns the files that a session changed in its last turn with changes, the last one first: of one of some
// sessions or, without these, of the session that changed one last. Files that are gone are left out.
func TurnFiles(root files.Root, sessions []string, now time.Time) (files []string) {
	list, _ := readRecord(turnPrefix+root.Key(), turnLimit, func(c changedFile) bool {
		return !c.Command && now.Sub(c.Time) < turnLife && filepath.IsLocal(filepath.FromSlash(c.File))
	})
	if len(sessions) > 0 {
		list = slices.DeleteFunc(list, func(c changedFile) bool {
			return !slices.ContainsFunc(sessions, func(id string) bool { return SessionKey(id) == c.Session })
		})
	}
	project, err := gate.Enter(root.Project)
	if err != nil {
		return nil
	}
	defer project.Close()
	for _, c := range slices.Backward(list) {
		last := list[len(list)-1]
		if c.Session != last.Session || c.Turn != last.Turn || slices.Contains(files, c.File) {
			continue
		}
		info, err := project.LstatNamed(gate.Name(c.File))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if files = append(files, c.File); len(files) == maxTurnFiles {
			break
		}
	}
	return files
}

// maxTurnChanges is how many files TurnChanges returns.
const maxTurnChanges = 50

// TurnChanges returns the files that a session changed in a turn, also by commands and in its subagents, the last one
// first. Of a client that names no turns they are those of the last hour.
func TurnChanges(root files.Root, session, turn string, now time.Time) (changed []string) {
	key := SessionKey(turn)
	data, _ := files.ReadState(turnPrefix+root.Key(), turnLimit) // else there are none
	if session == "" || !bytes.Contains(data, []byte(key)) {
		return nil // which is quick
	}
	list := recordOf(data, func(c changedFile) bool {
		return c.Session == SessionKey(session) && c.Turn == key && (key != "" || now.Sub(c.Time) < turnLife)
	})
	for _, c := range slices.Backward(list) {
		if len(changed) < maxTurnChanges && !slices.Contains(changed, c.File) {
			changed = append(changed, c.File)
		}
	}
	return changed
}

const (
	startedPrefix = "started-"
	// startedLimit is the size at which the file of a root starts over, in bytes: some hundred sessions. The old file
	// is kept until the next time.
	startedLimit = 32 << 10
	// maxStarted is how many sessions Started returns.
	maxStarted = 5
)

// StartedSession is a session that has started in a project.
type StartedSession struct {
	Session    string `json:"session"` // of SessionKey
	Transcript string `json:"transcript"`
}

// NoteStarted notes where a session that starts keeps its transcript.
func NoteStarted(root files.Root, session, transcript string) error {
	if session == "" || transcript == "" || len(transcript) > maxTurnPath {
		return nil
	}
	return appendRecord(startedPrefix+root.Key(), startedLimit, StartedSession{SessionKey(session), transcript})
}

// Started returns the transcripts of the sessions that started last, the last one first, without those of a session.
func Started(root files.Root, but string) (transcripts []string) {
	isOther := func(s StartedSession) bool { return s.Transcript != "" && s.Session != SessionKey(but) }
	list, _ := readRecord(startedPrefix+root.Key(), startedLimit, isOther)
	for _, s := range slices.Backward(list) {
		if len(transcripts) < maxStarted && !slices.Contains(transcripts, s.Transcript) {
			transcripts = append(transcripts, s.Transcript)
		}
	}
	return transcripts
}

// LastChanged returns the files that the previous session changed, the last one first, and the time of the last change.
func LastChanged(root files.Root, but string) (files []string, at time.Time) {
	isOther := func(c changedFile) bool {
		return !c.Command && c.Session != "" && c.File != "" && c.Session != SessionKey(but)
	}
	list, _ := readRecord(turnPrefix+root.Key(), turnLimit, isOther)
	for _, c := range slices.Backward(list) {
		last := list[len(list)-1]
		if at = last.Time; c.Session == last.Session && !slices.Contains(files, c.File) {
			files = append(files, c.File)
		}
	}
	return files, at
}
