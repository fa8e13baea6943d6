package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/observe"
	"memctl/schemas"
)

// turn is a prompt of a session with all that followed it. What came before the first prompt, and a session without a
// transcript, is a turn without a number.
type turn struct {
	db.Passage
	From          time.Time // zero if it is unknown
	Asked         string    // the prompt as a page explains it
	Before, After []part    // the answer
}

// part is a line of the record, or the tools that ran between two.
type part struct {
	Line *line // nil for runs
	Runs []toolRun
	Key  string
	Open bool // what a click opens is open
	Why  bool // the page says why the agent was asked
}

// toolRun is a run of a tool.
type toolRun struct {
	schemas.Run
	At     time.Time
	Failed bool
	Fix    *observe.Fix // what had failed before, if this was the run that worked
}

// Names are the names of the tools that ran, each once.
func (p part) Names() string {
	var names []string
	for _, r := range p.Runs {
		if !slices.Contains(names, r.Tool) {
			names = append(names, r.Tool)
		}
	}
	return strings.Join(names, ", ")
}

// Failures counts the runs that failed.
func (p part) Failures() (n int) {
	for _, r := range p.Runs {
		if r.Failed {
			n++
		}
	}
	return n
}

// toolRuns are the runs of a session in the order of time, each with what it fixed.
func toolRuns(runs []schemas.Run) []toolRun {
	fixes := map[string]*observe.Fix{}
	for _, f := range observe.Fixes(runs) {
		fixes[f.FixedAt+f.Tool] = &f
	}
	list := make([]toolRun, len(runs))
	for i, r := range runs {
		at, _ := schemas.ParseTime(r.Timestamp) // else it ran before the first prompt
		list[i] = toolRun{Run: r, At: at, Failed: !r.Success && !r.Unsettled, Fix: fixes[r.Timestamp+r.Tool]}
	}
	slices.SortStableFunc(list, func(a, b toolRun) int { return a.At.Compare(b.At) })
	return list
}

// merge tells a session: each event and each run in the turn in which it happened. The first turn has what came before
// the first passage.
func merge(passages []db.Passage, events []event, runs []toolRun) []turn {
	turns := make([]turn, 1, len(passages)+1)
	for _, p := range passages {
		from, _ := schemas.ParseTime(p.At)
		turns = append(turns, turn{Passage: p, From: from, Asked: askedIn(p)})
	}
	at := func(t time.Time) (last int) {
		for i, one := range turns {
			if !one.From.IsZero() && !one.From.After(t) {
				last = i
			}
		}
		return last
	}
	happened, ran, told := make([][]event, len(turns)), make([][]toolRun, len(turns)), map[string]bool{}
	for _, e := range events {
		i := at(e.At.Add(time.Second)) // the record has whole seconds, and the hook runs after the prompt
		if e.What == observe.AtStart {
			i = at(e.At.Add(-1)) // it runs before the prompt
		}
		e.Rules = slices.DeleteFunc(slices.Clone(e.Rules), func(r ruleEnd) bool {
			again := told[r.Address] && e.What == observe.AtTool
			told[r.Address] = true
			return again
		})
		if e.What == observe.AtPrompt {
			e.Turn, e.Prompt = turns[i].Turn, turns[i].Asked
		}
		happened[i] = append(happened[i], e)
	}
	for _, r := range runs {
		i := at(r.At)
		ran[i] = append(ran[i], r)
	}
	for i := range turns {
		turns[i].fill(tell(happened[i]), ran[i])
	}
	return turns
}

// fill puts lines and runs in the order of time. What follows the question at a stop comes after the answer, and so
// does the next start.
func (t *turn) fill(lines []line, runs []toolRun) {
	stopped := false
	add := func(p part) {
		p.Key = fmt.Sprintf("%d-%d", t.Turn, len(t.Before)+len(t.After))
		what := ""
		if p.Line != nil {
			p.Line.Key, p.Line.Below, what = p.Key, t.Turn > 0, p.Line.What
		}
		stopped = stopped || what == asked
		if t.Turn > 0 && (stopped || what == observe.AtStart) {
			t.After = append(t.After, p)
		} else {
			t.Before = append(t.Before, p)
		}
	}
	for i := range lines {
		n := 0
		for n < len(runs) && runs[n].At.Before(lines[i].At) {
			n++
		}
		if n > 0 {
			add(part{Runs: runs[:n]})
			runs = runs[n:]
		}
		add(part{Line: &lines[i]})
	}
	if len(runs) > 0 {
		add(part{Runs: runs})
	}
}

// Empty reports whether nothing is known of a turn.
func (t turn) Empty() bool {
	return t.Prompt == "" && t.Answer == "" && t.Tools == "" && len(t.Before)+len(t.After) == 0
}

const (
	// maxTurns is how many turns of a session one page shows, and maxTalk how many bytes of what was said, so far as
	// one turn does not have more.
	maxTurns = 50
	maxTalk  = 256 << 10
)

// fitting returns the number of the first turn that is not on the page with some passages, which begins with the turn
// from; 0 if all are.
func fitting(passages []db.Passage, from int) int {
	size := 0
	for _, p := range passages {
		if p.Turn < from {
			continue
		}
		size += len(p.Prompt) + len(p.Answer) + len(p.Tools)
		if p.Turn >= from+maxTurns || size > maxTalk && p.Turn > from {
			return p.Turn
		}
	}
	return 0
}
