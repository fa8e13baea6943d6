package hooks

import (
	"fmt"
	"time"

	"memctl/memdir"
	"memctl/observe"
)

const (
	// announcedPrefix marks a root whose review was announced in the last day.
	announcedPrefix = "reviewed-"
	// announceEvery is how often the findings are announced at most.
	announceEvery = 24 * time.Hour
	// manyFindings is how many findings are not announced.
	manyFindings = 5
)

// announceReview returns a line for the agent if the last review found much, once a day.
func announceReview(root memdir.Root, now time.Time) string {
	last, err := observe.LastReview(root)
	if err != nil || last.Findings <= manyFindings {
		return ""
	}
	state, err := memdir.OpenState()
	if err != nil {
		return ""
	}
	defer state.Close()
	mark := announcedPrefix + root.Key()
	state.Sweep(announcedPrefix, now.Add(-announceEvery))
	if !state.Mark(mark) {
		return ""
	}
	return fmt.Sprintf(`memctl: %d findings about memories of this project that may no longer be true; "memctl review" lists them with reasons and commands.`, last.Findings)
}
