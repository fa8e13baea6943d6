package hooks

import (
	"fmt"
	"path/filepath"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/text"
)

const (
	// announcedPrefix marks a root whose review was announced in the last day.
	announcedPrefix = "reviewed-"
	// announceEvery is how often the findings are announced at most.
	announceEvery = 24 * time.Hour
	// manyFindings is how many findings are not announced.
	manyFindings = 5
)

// manySources is how many files a session's start looks at for announceSources.
const manySources = 20

// announceSources returns a line for the agent if files that memories were imported from are gone
// or have another size.
func announceSources(root memdir.Root) string {
	moved, err := root.MovedSources(manySources)
	if err != nil || len(moved) == 0 {
		return ""
	}
	name := moved[0]
	if rel, err := filepath.Rel(root.Project, name); err == nil {
		name = filepath.ToSlash(rel)
	}
	more := ""
	if len(moved) > 1 {
		more = fmt.Sprintf(" and %d more", len(moved)-1)
	}
	return fmt.Sprintf(`memctl: %s%s changed since memories were imported from there; "memctl import --update" compares them.`,
		text.Printable(name), more)
}

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
