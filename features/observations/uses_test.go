package observations

import (
	"testing"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestSumUpInjections(t *testing.T) {
	t.Parallel()
	root := files.Root{Path: "/one", Shown: ".claude/memory"}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const a, b, gone = "decisions/a.json", "runbooks/b.json", "decisions/gone.json"
	injections := []observe.Injection{
		{Time: at, Session: "s1", Memories: []string{a, b}},
		{Time: at.Add(time.Minute), Session: "s1", Memories: []string{a}},
		{Time: at.Add(time.Hour), Session: "s2", Memories: []string{a, gone}},
		{Time: at.Add(time.Hour), Session: "s2", Moment: observe.AtTool, Memories: []string{b}},
		{Time: at.Add(2 * time.Hour), Use: observe.Opened, Memories: []string{a}},
		{Time: at.Add(2 * time.Hour), Session: "s3", Moment: observe.AtStart,
			Memories: []string{"decisions/never.json"}},
	}
	item := func(path, title string, status schemas.Status) retrieve.ListEntry {
		return retrieve.ListEntry{Entry: retrieve.Entry{Path: path, Title: title, Status: status}}
	}
	items := []retrieve.ListEntry{
		item(a, "A", schemas.Active), item(b, "B", schemas.Retired),
		item("decisions/never.json", "Never", schemas.Active), item("decisions/Odd name.json", "Odd", schemas.Active),
	}
	type counts = map[string]int
	want := memoryUses{
		Prompts: 3, Sessions: 2, First: "2026-11-20T09:00:00Z", Last: "2026-11-20T10:00:00Z", Active: 2, Unused: 1,
		Memories: []memoryUse{
			{"a", ".claude/memory/" + a, "A", schemas.Active, 3, 2, "2026-11-20T11:00:00Z", counts{"prompt": 3},
				counts{"opened": 1}},
			{"gone", ".claude/memory/" + gone, "", "", 1, 1, "2026-11-20T10:00:00Z", counts{"prompt": 1}, counts{}},
			{"b", ".claude/memory/" + b, "B", schemas.Retired, 1, 2, "2026-11-20T10:00:00Z",
				counts{"prompt": 1, "tool": 1}, counts{}},
			{"never", ".claude/memory/decisions/never.json", "Never", schemas.Active, 0, 1, "2026-11-20T11:00:00Z",
				counts{"start": 1}, counts{}},
		},
	}
	if diff := cmp.Diff(want, sumUpInjections(root, injections, items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
