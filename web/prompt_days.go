package web

import (
	"slices"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
)

// promptDay sums up the injections of one day.
type promptDay struct {
	Day     string // 2006-01-02, UTC
	Prompts int
	// Tokens estimates what the lines of the memories cost. A memory that is gone
	// counts nothing.
	Tokens int
}

// promptsByDay sums up injections by day, for a number of days that end with now. items are all
// memories of the root.
func promptsByDay(root memdir.Root, injections []observe.Injection, items []retrieve.Item, now time.Time, days int) []promptDay {
	cost := map[string]int{}
	for _, m := range items {
		cost[m.Path] = m.Cost(root.Shown)
	}
	list := make([]promptDay, days)
	place := map[string]int{}
	for i := range list {
		list[i].Day = now.UTC().AddDate(0, 0, i-days+1).Format(time.DateOnly)
		place[list[i].Day] = i
	}
	for _, in := range injections {
		i, recent := place[in.Time.UTC().Format(time.DateOnly)]
		if !recent {
			continue
		}
		list[i].Prompts++
		for _, path := range in.Memories {
			list[i].Tokens += cost[path]
		}
	}
	return list
}

// injectionsOf returns the injections of the memory with a path below the root.
func injectionsOf(injections []observe.Injection, path string) []observe.Injection {
	return slices.DeleteFunc(slices.Clone(injections), func(in observe.Injection) bool { return !slices.Contains(in.Memories, path) })
}
