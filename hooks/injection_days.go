package hooks

import (
	"slices"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
)

// InjectionDay sums up the injections of one day.
type InjectionDay struct {
	Day     string `json:"day"` // 2006-01-02, UTC
	Prompts int    `json:"prompts"`
	// Tokens estimates what the lines of the memories cost. A memory that is gone
	// counts nothing.
	Tokens int `json:"tokens"`
}

// ByDay sums up injections by day, for a number of days that end with now. items are all
// memories of the root.
func ByDay(root memdir.Root, injections []Injection, items []retrieve.Item, now time.Time, days int) []InjectionDay {
	cost := map[string]int{}
	for _, m := range items {
		cost[m.Path] = m.Cost(root.Shown)
	}
	list := make([]InjectionDay, days)
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

// Of returns the injections of the memory with a path below the root.
func Of(injections []Injection, path string) []Injection {
	return slices.DeleteFunc(slices.Clone(injections), func(in Injection) bool { return !slices.Contains(in.Memories, path) })
}
