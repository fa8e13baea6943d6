package retrieve

import (
	"path"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// maxMark is how many code points say why a memory may be outdated.
const maxMark = 100

// MarkOutdated says of each result that may no longer be true why, in Result.Outdated. It
// reads the memory's file and looks whether the files exist that it names, and runs no git.
func MarkOutdated(results []Result, now time.Time) {
	for i, r := range results {
		if _, m, ok := readMemory(r.Root, r.Path); ok {
			results[i].Outdated = text.Ellipsis(text.Printable(outdated(r.Root, &m, now)), maxMark)
		}
	}
}

// outdated says why a memory may no longer be true, "" for no reason.
func outdated(root memdir.Root, m *schemas.Memory, now time.Time) string {
	switch c := m.Content.(type) {
	case *schemas.ConstraintContent:
		if ends, ok := expiry(c.Expires); ok && now.After(ends) {
			return "expired on " + ends.Format(time.DateOnly)
		}
		if c.Active != nil && !*c.Active {
			return "no longer active"
		}
	case *schemas.DecisionContent:
		if c.Status == "deprecated" || c.Status == "superseded" {
			return c.Status
		}
	case *schemas.TechDebtContent:
		if c.Status == "resolved" || c.Status == "wont_fix" {
			return strings.ReplaceAll(c.Status, "_", " ")
		}
	}
	if root.Scope == memdir.UserScope {
		return "" // its files are no project's
	}
	for _, named := range m.RelatedFiles {
		bare := named
		if at := strings.IndexAny(path.Base(named), ":#"); at > 0 {
			bare = named[:len(named)-len(path.Base(named))+at]
		}
		if root.Gone(named) && root.Gone(bare) {
			return named + " is gone"
		}
	}
	return ""
}

// expiry reads a date, or a time.
func expiry(s string) (time.Time, bool) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Second), true // the day itself counts
	}
	return schemas.ParseTime(s)
}
