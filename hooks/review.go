package hooks

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"memctl/memdir"
)

// Reviewed is the result of a review of a root. The record of reviews is a file of this
// user, for all roots. Deleting it loses nothing.
type Reviewed struct {
	Time     time.Time `json:"time"`
	Root     string    `json:"root"` // memdir.Root.Key
	Findings int       `json:"findings"`
}

const (
	reviewsName = "reviews.jsonl"
	// reviewsLimit is the size at which the record starts over, in bytes: some hundred
	// reviews. The old record is kept until the next time.
	reviewsLimit = 16 << 10
	// announcedPrefix marks a root whose review was announced in the last day.
	announcedPrefix = "reviewed-"
	// announceEvery is how often the findings are announced at most.
	announceEvery = 24 * time.Hour
	// manyFindings is how many findings are not announced.
	manyFindings = 5
)

// RecordReview notes what a review of a root found.
func RecordReview(root memdir.Root, now time.Time, findings int) error {
	state, err := memdir.OpenState()
	if err != nil {
		return err
	}
	defer state.Close()
	line := jsonLine(Reviewed{now.UTC().Truncate(time.Second), root.Key(), findings})
	return state.Append(reviewsName, []byte(line), reviewsLimit)
}

// LastReview returns the last review of a root, the zero value if none is on record.
func LastReview(root memdir.Root) (Reviewed, error) {
	state, err := memdir.OpenState()
	if err != nil {
		return Reviewed{}, err
	}
	defer state.Close()
	return lastReview(state, root)
}

func lastReview(state *memdir.Staged, root memdir.Root) (last Reviewed, err error) {
	data, err := state.ReadJournal(reviewsName, reviewsLimit)
	key := root.Key()
	for line := range strings.Lines(string(data)) {
		var r Reviewed
		if strings.Contains(line, key) && json.Unmarshal([]byte(line), &r) == nil && r.Root == key {
			last = r
		}
	}
	return last, err
}

// announceReview returns a line for the agent if the last review found much, once a day.
func announceReview(root memdir.Root, now time.Time) string {
	state, err := memdir.OpenState()
	if err != nil {
		return ""
	}
	defer state.Close()
	last, err := lastReview(state, root)
	if err != nil || last.Findings <= manyFindings {
		return ""
	}
	mark := announcedPrefix + root.Key()
	state.Sweep(announcedPrefix, now.Add(-announceEvery))
	if !state.Mark(mark) {
		return ""
	}
	return fmt.Sprintf(`memctl: %d findings about memories of this project that may no longer be true; "memctl review" lists them with reasons and commands.`, last.Findings)
}
