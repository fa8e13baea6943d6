package answers

import (
	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/triage"
)

// maxFixes is how many of a session's fixes triage is told, the last ones.
const maxFixes = 5

// nameFixes tells whoever drafts a runbook what failed in the session and worked
// later, where tools are observed. Without that the transcript has to do.
func nameFixes(root memdir.Root, session string, items []triage.Item) {
	for i := range items {
		if items[i].Category != schemas.Runbook {
			continue
		}
		fixes := observe.LastFixes(root, session)
		for _, fix := range fixes[max(0, len(fixes)-maxFixes):] {
			items[i].Fixed = append(items[i].Fixed, fix.Line())
		}
	}
}
