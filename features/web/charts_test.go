package web

import (
	"testing"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

func TestByDay(t *testing.T) {
	root := files.Root{Shown: ".claude/memory"}
	item := retrieve.ListEntry{Entry: retrieve.Entry{Path: "decisions/a.json", Title: "A", Category: schemas.Decision}}
	now := time.Date(2026, 3, 3, 1, 0, 0, 0, time.Local)
	injection := func(at time.Time, paths ...string) observe.Injection {
		return observe.Injection{Time: at, Memories: paths}
	}
	list := []observe.Injection{
		injection(now.AddDate(0, 0, -9), "decisions/a.json"),
		injection(now.Add(-2*time.Hour), "decisions/a.json", "decisions/gone.json"),
		injection(now, "decisions/gone.json"),
		injection(now, "decisions/a.json"),
		{Time: now, Moment: observe.AtTool, Memories: []string{"decisions/a.json"}}, // no prompt
	}
	each := item.Cost(root)
	prompts, tokens := promptsByDay(root, list, []retrieve.ListEntry{item}, now, 3)
	for _, tt := range []struct{ got, want series }{
		{prompts, series{[]dayValue{{"2026-03-01", 0}, {"2026-03-02", 1}, {"2026-03-03", 2}}, 2, 3}},
		{tokens, series{[]dayValue{{"2026-03-01", 0}, {"2026-03-02", each}, {"2026-03-03", 2 * each}}, 2 * each, 3 * each}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if each != 13 {
		t.Errorf("the line of a memory costs %d tokens, want 13", each)
	}
	if n := len(injectionsOf(list, "decisions/gone.json")); n != 2 {
		t.Errorf("%d injections of a memory, want 2", n)
	}
}
