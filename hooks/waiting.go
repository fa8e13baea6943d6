package hooks

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/text"
	"memctl/triage"
)

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
