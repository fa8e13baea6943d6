package web

import (
	"slices"
	"time"
)

// figureNames are the figures of a day, by the ends of their texts' keys.
var figureNames = [...]string{"given", "opened", "kept", "saved"}

// figures are those of a day: memories given at a prompt or an act, memories opened by an agent, rules kept or stopped,
// and memories saved.
type figures [len(figureNames)]int

const (
	given = iota
	opened
	kept
	saved
)

func (f figures) sum() (n int) {
	for _, value := range f {
		n += value
	}
	return n
}

// weekDays is how many of the days make the figure of a chart.
const weekDays = 7

// weekPart is the charts of the start page, and their table.
type weekPart struct {
	Charts []weekChart
	Days   []dayFigures // on which something happened, the last first
}

// weekChart is one figure of the last days, the last last. Its total is that of the last seven.
type weekChart struct {
	Name string
	series
}

type dayFigures struct {
	Day     string
	Figures figures
}

// weekOf makes the charts that end with a day, of the figures by day. happened has the days to which the table leads.
func weekOf(today time.Time, by map[string]figures, happened []string) (w weekPart) {
	for i, name := range figureNames {
		c := weekChart{name, newSeries(today, shownDays)}
		for n := range c.Days {
			value := by[c.Days[n].Day][i]
			c.Days[n].Value, c.Most = value, max(c.Most, value)
			if n >= shownDays-weekDays {
				c.Total += value
			}
		}
		w.Charts = append(w.Charts, c)
	}
	for _, day := range slices.Backward(happened) {
		w.Days = append(w.Days, dayFigures{day, by[day]})
	}
	return w
}
