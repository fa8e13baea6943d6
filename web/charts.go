package web

import (
	"fmt"
	"time"

	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
)

const (
	// chartDays is how many days the charts by day show.
	chartDays = 30
	// growthSteps is how many points the curve of a category has.
	growthSteps = 48
)

// chartsPage shows figures.
type chartsPage struct {
	Growth   []curve
	From, To string // days
	Prompts  bars
	Tokens   bars
	Tools    []toolBar
	Recorded bool // which memories prompts received
}

// curve is how many memories of a category there were.
type curve struct {
	Category schemas.Category
	Count    int    // in the end
	Line     string // the points of a polyline
	Area     string // the points of the polygon below it
}

// The size of a curve's picture.
const (
	curveWidth, curveHeight = 240, 64
	barsWidth, barsHeight   = 720, 90
	toolWidth               = 400
)

// bars is a figure for each day.
type bars struct {
	Bars     []bar
	From, To string // days
	Most     int
	Total    int
}

type bar struct {
	Day                 string
	Value               int
	X, Y, Width, Height int
}

// toolBar is how the runs of a tool ended.
type toolBar struct {
	retrieve.ToolCount
	Passed, Failed int // the widths
}

func (s *Server) charts(v *visit) (answer, error) {
	var p chartsPage
	var days []retrieve.DayCount
	var items []retrieve.Item
	var stats retrieve.ToolStats
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		if days, err = retrieve.CreatedByDay(v.Context(), source.DB); err != nil {
			return err
		}
		if items, err = retrieve.List(v.Context(), source.DB, retrieve.Filter{}, "path"); err != nil {
			return err
		}
		stats, err = retrieve.Stats(v.Context(), source.DB)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	now := time.Now().UTC()
	p.growth(days, now)
	injections, _ := observe.ReadInjections(s.Root) // without a record there are none
	p.Recorded = len(injections) > 0
	byDay := promptsByDay(s.Root, injections, items, now, chartDays)
	p.Prompts = barsOf(byDay, func(d promptDay) int { return d.Prompts })
	p.Tokens = barsOf(byDay, func(d promptDay) int { return d.Tokens })
	p.Tools = toolBars(stats.Tools)
	return answer{page: "charts", title: v.t("nav.charts"), data: p}, nil
}

// growth draws a curve for each category, all with the same scales.
func (p *chartsPage) growth(days []retrieve.DayCount, now time.Time) {
	first := now.AddDate(0, 0, -chartDays)
	for _, d := range days {
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil && day.Before(first) {
			first = day
		}
	}
	if earliest := now.AddDate(-10, 0, 0); first.Before(earliest) {
		first = earliest // a date may be anything
	}
	p.From, p.To = first.Format(time.DateOnly), now.Format(time.DateOnly)
	most := 1
	counts := map[schemas.Category][]int{}
	for _, info := range schemas.Categories {
		counts[info.Category] = make([]int, growthSteps+1)
		for step := range counts[info.Category] {
			until := first.Add(now.Sub(first) / growthSteps * time.Duration(step)).Format(time.DateOnly)
			for _, d := range days {
				if d.Category == info.Category && (d.Day <= until || step == growthSteps) {
					counts[info.Category][step] += d.Count
				}
			}
			most = max(most, counts[info.Category][step])
		}
	}
	for _, info := range schemas.Categories {
		c := curve{Category: info.Category, Count: counts[info.Category][growthSteps]}
		for step, n := range counts[info.Category] {
			c.Line += fmt.Sprintf("%d,%d ", step*curveWidth/growthSteps, curveHeight-n*(curveHeight-4)/most)
		}
		c.Area = fmt.Sprintf("0,%d %s%d,%d", curveHeight, c.Line, curveWidth, curveHeight)
		p.Growth = append(p.Growth, c)
	}
}

func barsOf(days []promptDay, value func(promptDay) int) bars {
	var b bars
	for _, d := range days {
		b.Most = max(b.Most, value(d))
		b.Total += value(d)
	}
	b.From, b.To = days[0].Day, days[len(days)-1].Day
	each := barsWidth / len(days)
	for i, d := range days {
		height := value(d) * barsHeight / max(b.Most, 1)
		if value(d) > 0 {
			height = max(height, 2)
		}
		b.Bars = append(b.Bars, bar{d.Day, value(d), i * each, barsHeight - height, each - 4, height})
	}
	return b
}

func toolBars(tools []retrieve.ToolCount) []toolBar {
	most := 1
	for _, t := range tools {
		most = max(most, t.Runs)
	}
	list := make([]toolBar, len(tools))
	for i, t := range tools {
		failed := t.Failures * toolWidth / most
		if t.Failures > 0 {
			failed = max(failed, 3)
		}
		list[i] = toolBar{t, max((t.Runs-t.Failures)*toolWidth/most, min(t.Runs-t.Failures, 2)), failed}
	}
	return list
}
