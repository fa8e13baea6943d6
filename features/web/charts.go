package web

import (
	"maps"
	"slices"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
)

const (
	// chartDays is how many days the charts by day show.
	chartDays = 30
	// growthSteps is how many points the curve of a category has, besides the first.
	growthSteps = 48
)

// chartsPage shows figures, which its template draws.
type chartsPage struct {
	Growth   []curve
	Most     int    // the highest point of all curves
	From, To string // days
	Prompts  series
	Tokens   series
	Tools    []retrieve.ToolCount
	MostRuns int  // of a tool
	Recorded bool // which memories prompts received
}

// curve is how many memories of a category there were, and are.
type curve struct {
	Category schemas.Category
	Counts   []int // in equal steps of time
	Count    int
}

// series is a figure for each day.
type series struct {
	Days        []dayValue
	Most, Total int
}

type dayValue struct {
	Day   string // of dayOf
	Value int
}

func newSeries(now time.Time, days int) series {
	s := series{Days: make([]dayValue, days)}
	for i := range s.Days {
		s.Days[i].Day = dayOf(now.Local().AddDate(0, 0, i-days+1))
	}
	return s
}

// add adds to the figure of a day.
func (s *series) add(day time.Time, value int) {
	date := dayOf(day)
	if i := slices.IndexFunc(s.Days, func(d dayValue) bool { return d.Day == date }); i >= 0 {
		s.Days[i].Value += value
		s.Most, s.Total = max(s.Most, s.Days[i].Value), s.Total+value
	}
}

// share is the size of a part in a picture where most takes the whole. Any part is seen.
func share(part, most, total int) int { return max(part*total/max(most, 1), min(part, 2)) }

func (s *Server) charts(v *visit) (answer, error) {
	var p chartsPage
	var days []retrieve.DayCount
	var items []retrieve.ListEntry
	injections, _ := observe.ReadInjections(s.Root) // without a record there are none
	given := map[string]bool{}
	for _, in := range injections {
		for _, path := range in.Memories {
			given[path] = true
		}
	}
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		if days, err = source.CreatedByDay(v.Context()); err != nil {
			return err
		}
		if items, err = source.AtPaths(v.Context(), slices.Sorted(maps.Keys(given))); err != nil {
			return err
		}
		stats, err := source.Stats(v.Context())
		p.Tools = stats.Tools
		return err
	})
	if err != nil {
		return answer{}, err
	}
	now := time.Now().UTC()
	p.growth(days, now)
	p.Recorded = len(injections) > 0
	p.Prompts, p.Tokens = promptsByDay(s.Root, injections, items, now, chartDays)
	for _, t := range p.Tools {
		p.MostRuns = max(p.MostRuns, t.Runs)
	}
	return answer{page: "charts", title: v.t("nav.charts"), data: p}, nil
}

// growth makes a curve for each category from the memories made by day, oldest first.
func (p *chartsPage) growth(days []retrieve.DayCount, now time.Time) {
	first := now.AddDate(0, 0, -chartDays)
	if len(days) > 0 {
		if oldest, err := time.Parse(time.DateOnly, days[0].Day); err == nil && oldest.Before(first) {
			first = oldest
		}
	}
	if earliest := now.AddDate(-10, 0, 0); first.Before(earliest) {
		first = earliest // a date may be anything
	}
	p.From, p.To = first.Format(time.DateOnly), now.Format(time.DateOnly)
	for _, info := range schemas.Categories {
		c := curve{Category: info.Category, Counts: make([]int, growthSteps+1)}
		for step := range c.Counts {
			until := first.Add(now.Sub(first) / growthSteps * time.Duration(step)).Format(time.DateOnly)
			for _, d := range days {
				if d.Category == info.Category && (d.Day <= until || step == growthSteps) {
					c.Counts[step] += d.Count
				}
			}
		}
		c.Count = c.Counts[growthSteps]
		p.Growth, p.Most = append(p.Growth, c), max(p.Most, c.Count)
	}
}

// promptsByDay counts the prompts that received memories by day, and estimates the tokens of all lines that the agent
// received, for a number of days that end with now. items are the memories of those lines: one that was deleted costs
// nothing.
func promptsByDay(
	root files.Root, injections []observe.Injection, items []retrieve.ListEntry, now time.Time, days int,
) (prompts, tokens series) {
	cost := map[string]int{}
	for _, m := range items {
		cost[m.Path] = m.Cost(root)
	}
	prompts, tokens = newSeries(now, days), newSeries(now, days)
	for _, in := range injections {
		if in.GivenAt() == observe.AtPrompt {
			prompts.add(in.Time, 1)
		}
		for _, path := range in.Memories {
			tokens.add(in.Time, cost[path])
		}
	}
	return prompts, tokens
}

// injectionsOf returns the injections of the memory with a path below the root.
func injectionsOf(injections []observe.Injection, path string) []observe.Injection {
	return slices.DeleteFunc(slices.Clone(injections), func(in observe.Injection) bool {
		return !slices.Contains(in.Memories, path)
	})
}
