package main

import (
	"fmt"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
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
		last, _ := observe.Last(root, session)
		runs := make([]retrieve.Run, len(last))
		for j, o := range last {
			runs[j] = retrieve.RunOf(o)
		}
		fixes := retrieve.Fixes(runs)
		for _, fix := range fixes[max(0, len(fixes)-maxFixes):] {
			items[i].Fixed = append(items[i].Fixed, fixLine(fix))
		}
	}
}

func fixLine(f retrieve.Fix) string {
	line := fmt.Sprintf("%s %s (failed %s)", f.Tool, text.Ellipsis(f.Subject, 50), plural(f.Failures, "time", "times"))
	if n := len(f.Between); n > 0 {
		line += ", after " + f.Between[n-1]
	}
	return line
}
