package main

import "fmt"

// limits are targets by size of store. At other sizes a figure is only shown.
type limits map[int]float64

// everySize is a target for what the size of the store does not matter to.
func everySize(limit float64) limits { return limits{600: limit, 10_000: limit, 100_000: limit} }

type unit string

const (
	times     unit = "x"
	perSecond unit = "/s"
	mebibytes unit = "MiB"
)

// goal is a figure to derive from a measurement, and what it should be.
type goal struct {
	unit    unit
	against string // for times: the measurement to compare with
	limits  limits
}

// atMost compares with another measurement, round by round.
func atMost(against string, l limits) goal { return goal{times, against, l} }

// atLeastPerSecond is for what works through the whole store.
func atLeastPerSecond(l limits) goal { return goal{perSecond, "", l} }

func peakAtMost(l limits) goal { return goal{mebibytes, "", l} }

// figure is a goal's outcome.
type figure struct {
	Value   float64 `json:"value"`
	Unit    unit    `json:"unit"`
	Against string  `json:"against,omitempty"`
	// Target is the most that Value should be, or the least if Unit is perSecond;
	// nil where there is none.
	Target *float64 `json:"target"`
	Met    *bool    `json:"met"`
}

func (g goal) figure(size int, name string, all map[string]samples) figure {
	f := figure{Unit: g.unit, Against: g.against}
	switch g.unit {
	case times:
		f.Value = all[name].timesOf(all[g.against])
	case perSecond:
		f.Value = float64(size) / median(all[name].wallMS()) * 1000
	case mebibytes:
		f.Value, _ = all[name].peakMiB()
	}
	if limit, ok := g.limits[size]; ok && f.Value > 0 { // 0: the system does not tell
		met := f.Value <= limit
		if g.unit == perSecond {
			met = f.Value >= limit
		}
		f.Target, f.Met = &limit, &met
	}
	return f
}

func (f figure) value() string {
	if f.Unit == times {
		return f.render(f.Value) + " " + f.Against
	}
	return f.render(f.Value)
}

func (f figure) target() string {
	if f.Target == nil {
		return ""
	}
	if f.Unit == perSecond {
		return "≥ " + f.render(*f.Target)
	}
	return "≤ " + f.render(*f.Target)
}

func (f figure) verdict() string {
	if f.Met == nil {
		return ""
	}
	return verdict(*f.Met)
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "not met"
}

func (f figure) render(v float64) string {
	switch f.Unit {
	case times:
		return fmt.Sprintf("%.2fx", v)
	case perSecond:
		return fmt.Sprintf("%.0f/s", v)
	}
	return fmt.Sprintf("%.1f %s", v, f.Unit)
}
