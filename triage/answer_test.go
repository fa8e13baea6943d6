package triage

import (
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/text"
)

// The request fits even with the longest descriptions and snippets, and still holds
// what the agent needs to save a memory.
func TestAskKeepsWithinItsRoom(t *testing.T) {
	var items []Item
	for _, info := range schemas.Categories {
		items = append(items, Item{
			Result:      Result{Category: info.Category, Score: 0.5},
			Description: strings.Repeat("<", 2000),
			Snippets:    []string{strings.Repeat("\U0001F600", 500)},
			ContextFile: "/tmp/memctl-1000/0123456789ab/triage-" + string(info.Category) + ".txt",
		})
	}
	const room = 10_000
	ask, err := Ask(items, schemas.DefaultConfig().Triage.Parallel, room)
	if n := text.Units(ask); err != nil || n > room {
		t.Errorf("%d units (%v)", n, err)
	}
	for _, item := range items {
		if !strings.Contains(ask, `"context_file": "`+item.ContextFile+`"`) {
			t.Errorf("%s has no context file", item.Category)
		}
	}
	if short, _ := Ask(items[:1], schemas.ParallelConfig{}, room); !strings.Contains(short, strings.Repeat(`\u003c`, maxDescription)) {
		t.Error("a description was shortened that had room")
	}
}
