package retrieve

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// When an answer goes beyond the index.
const (
	aloneAt     = 0.92 // the only one that relevant is what was meant
	winnerAt    = 0.85 // so is one that is ahead
	winnerAhead = 0.1
	groupAt     = 0.8 // so many of them are one story
	group       = 3
)

// The budgets of an answer, in tokens.
const (
	DefaultBudget = 2000
	MinBudget     = 100
	MaxBudget     = 100_000
)

// The layers that an answer may end in.
const (
	IndexLayer    = "index"
	TimelineLayer = "timeline"
	DetailLayer   = "detail"
)

const (
	expandHint = `hint: "memctl timeline ID" tells what happened around one, "memctl show ID" all of it`
	// maxHead bounds, in code points, the line that says what was expanded.
	maxHead = 160
	// maxOmission bounds the line that says how many rows were left out.
	maxOmission = 40
	maxTotal    = 40
)

// Disclosure is an answer that shows as much as it is sure of.
type Disclosure struct {
	Expanded string `json:"expanded"` // a layer
	ID       string `json:"id,omitempty"`
	Reason   string `json:"reason"`
	Rows     []Row  `json:"rows"`   // of the index, those that fit
	Tokens   int    `json:"tokens"` // about what Text costs, never more than Budget
	Budget   int    `json:"budget"`
	Text     string `json:"text"`
}

// expansion is what to show beyond the rows, and why.
type expansion struct {
	layer  string
	id     string
	reason string
}

// expand decides by relevance alone.
func expand(rows []Row) expansion {
	if len(rows) == 0 {
		return expansion{IndexLayer, "", "nothing matches"}
	}
	ranked := slices.Clone(rows)
	slices.SortStableFunc(ranked, func(a, b Row) int { return hundredths(b.Relevance) - hundredths(a.Relevance) })
	best := ranked[0]
	ahead := hundredths(best.Relevance)
	if len(ranked) > 1 {
		ahead -= hundredths(ranked[1].Relevance)
	}
	switch {
	case best.Relevance >= aloneAt && atLeast(ranked, aloneAt) == 1:
		return expansion{DetailLayer, best.ID, fmt.Sprintf("the only one of relevance %.2f or more (%.2f)", aloneAt, best.Relevance)}
	case best.Relevance >= winnerAt && ahead >= hundredths(winnerAhead):
		return expansion{DetailLayer, best.ID, fmt.Sprintf("a clear winner (%.2f, ahead by %.2f)", best.Relevance, float64(ahead)/100)}
	case atLeast(ranked, groupAt) >= group:
		return expansion{TimelineLayer, best.ID, fmt.Sprintf("%d of relevance %.2f or more", atLeast(ranked, groupAt), groupAt)}
	}
	return expansion{IndexLayer, "", fmt.Sprintf("no clear match (best %.2f)", best.Relevance)}
}

func hundredths(share float64) int { return int(math.Round(100 * share)) }

func atLeast(rows []Row, relevance float64) int {
	n := 0
	for _, r := range rows {
		if r.Relevance >= relevance {
			n++
		}
	}
	return n
}

// Disclose answers with rows of the index, and with the timeline or all of what is
// certainly meant, within a budget of MinBudget tokens or more. What does not fit
// gives way to the next cheaper layer, then rows go, the last first.
func (s Source) Disclose(ctx context.Context, rows []Row, budget int) (Disclosure, error) {
	e := expand(rows)
	for {
		room := 4*budget - size([]string{e.head(), expandHint}) - maxOmission - maxTotal
		lines, err := s.expanded(ctx, e)
		if err != nil {
			return Disclosure{}, err
		}
		if size(lines) <= room {
			return disclose(e, lines, rows, room, budget), nil
		}
		e = e.cheaper()
	}
}

// cheaper is the same answer, one layer less.
func (e expansion) cheaper() expansion {
	reason, _, _ := strings.Cut(e.reason, "; ")
	if e.layer == DetailLayer {
		return expansion{TimelineLayer, e.id, reason + "; all of it is over the budget"}
	}
	return expansion{IndexLayer, "", reason + "; no more is within the budget"}
}

func (s Source) expanded(ctx context.Context, e expansion) ([]string, error) {
	if e.layer == IndexLayer {
		return nil, nil
	}
	ref, err := s.Lookup(ctx, e.id)
	if err != nil {
		return nil, err
	}
	if e.layer == DetailLayer {
		d, err := s.Detail(ctx, ref)
		return d.lines(), err
	}
	t, err := s.Timeline(ctx, ref, DefaultWindow)
	lines := make([]string, len(t.Events))
	for i, event := range t.Events {
		lines[i] = event.String()
	}
	return lines, err
}

// size is how many characters lines take.
func size(lines []string) int {
	n := 0
	for _, line := range lines {
		n += utf8.RuneCountInString(line) + 1
	}
	return n
}

// disclose lays an answer out. What was expanded stands first, the other rows
// follow as far as there is room.
func disclose(e expansion, lines []string, rows []Row, room, budget int) Disclosure {
	d := Disclosure{Expanded: e.layer, ID: e.id, Reason: e.reason, Rows: []Row{}, Budget: budget}
	room -= size(lines)
	all := append([]string{e.head()}, lines...)
	omitted := 0
	for _, row := range rows {
		line := row.String()
		if e.layer == DetailLayer && row.ID == e.id {
			d.Rows = append(d.Rows, row)
			continue
		}
		if room -= utf8.RuneCountInString(line) + 1; room < 0 {
			omitted++
			continue
		}
		d.Rows = append(d.Rows, row)
		all = append(all, line)
	}
	if omitted > 0 {
		all = append(all, fmt.Sprintf("%d more are over the budget", omitted))
	}
	if len(rows) > 0 {
		all = append(all, expandHint)
	}
	d.total(strings.Join(all, "\n") + "\n")
	return d
}

func (e expansion) head() string {
	shown := "expanded: nothing: "
	switch e.layer {
	case DetailLayer:
		shown = "expanded: all of " + e.id + ": "
	case TimelineLayer:
		shown = "expanded: the timeline of " + e.id + ": "
	}
	return text.OneLine(shown+e.reason, maxHead-1)
}

// total adds the line that says what the text costs, that line included.
func (d *Disclosure) total(body string) {
	for {
		d.Text = body + fmt.Sprintf("tokens: about %d of %d\n", d.Tokens, d.Budget)
		cost := text.Cost(d.Text)
		if cost == d.Tokens {
			return
		}
		d.Tokens = max(cost, d.Tokens)
		if cost < d.Tokens {
			return // one more digit would make it one more again
		}
	}
}
