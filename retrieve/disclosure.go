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

// The relevance from which an answer shows more than the index.
const (
	aloneAt     = 0.92 // the only row of that relevance is what was meant
	winnerAt    = 0.85 // so is the best row, if it is ahead
	winnerAhead = 0.1
	groupAt     = 0.8 // that many rows are about one story
	groupSize   = 3
)

// The budgets of an answer, in tokens.
const (
	DefaultBudget = 2000
	MinBudget     = 100
	MaxBudget     = 100_000
)

// The layers that an answer may show.
const (
	IndexLayer    = "index"
	TimelineLayer = "timeline"
	DetailLayer   = "detail"
)

const (
	expandHint = `hint: "memctl timeline ID" tells what happened around one, "memctl show ID" all of it`
	// maxHead is the length of the first line, which says what is expanded.
	// maxOmission and maxTotal bound the lines for omitted rows and for the cost. All
	// three are in code points.
	maxHead     = 160
	maxOmission = 40
	maxTotal    = 40
)

// Disclosure is an answer that shows as much as its relevance justifies.
type Disclosure struct {
	Expanded string `json:"expanded"` // a layer
	ID       string `json:"id,omitempty"`
	Reason   string `json:"reason"`
	Rows     []Row  `json:"rows"`   // of the index, those that fit
	Tokens   int    `json:"tokens"` // about what Text costs, at most Budget
	Budget   int    `json:"budget"`
	Text     string `json:"text"`
}

// expansion is the layer that an answer shows of one row, and why.
type expansion struct {
	layer  string
	id     string // "" for the index
	reason string
}

// expand decides by relevance alone.
func expand(rows []Row) expansion {
	if len(rows) == 0 {
		return expansion{IndexLayer, "", "nothing matches"}
	}
	ranked := slices.Clone(rows)
	slices.SortStableFunc(ranked, func(a, b Row) int { return percent(b.Relevance) - percent(a.Relevance) })
	best := ranked[0]
	ahead := percent(best.Relevance)
	if len(ranked) > 1 {
		ahead -= percent(ranked[1].Relevance)
	}
	switch group := atLeast(ranked, groupAt); {
	case atLeast(ranked, aloneAt) == 1:
		return expansion{DetailLayer, best.ID, fmt.Sprintf("the only one of relevance %.2f or more (%.2f)", aloneAt, best.Relevance)}
	case best.Relevance >= winnerAt && ahead >= percent(winnerAhead):
		return expansion{DetailLayer, best.ID, fmt.Sprintf("a clear winner (%.2f, ahead by %.2f)", best.Relevance, float64(ahead)/100)}
	case group >= groupSize:
		return expansion{TimelineLayer, best.ID, fmt.Sprintf("%d of relevance %.2f or more", group, groupAt)}
	}
	return expansion{IndexLayer, "", fmt.Sprintf("no clear match (best %.2f)", best.Relevance)}
}

func percent(share float64) int { return int(math.Round(100 * share)) }

// atLeast counts the rows of that relevance or more.
func atLeast(rows []Row, relevance float64) int {
	n := 0
	for _, r := range rows {
		if r.Relevance >= relevance {
			n++
		}
	}
	return n
}

// head returns the first line of the answer.
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

// cheaper returns the next cheaper layer.
func (e expansion) cheaper() expansion {
	reason, _, _ := strings.Cut(e.reason, "; ")
	if e.layer == DetailLayer {
		return expansion{TimelineLayer, e.id, reason + "; all of it is over the budget"}
	}
	return expansion{IndexLayer, "", reason + "; no more is within the budget"}
}

// Disclose renders rows of the index and, if one is certainly meant, its timeline
// or its detail. The budget is in tokens, at least MinBudget. If a layer does not
// fit, Disclose takes the next cheaper one, then it drops rows from the end.
func (s Source) Disclose(ctx context.Context, rows []Row, budget int) (Disclosure, error) {
	e := expand(rows)
	for {
		room := 4*budget - length(e.head(), expandHint) - maxOmission - maxTotal // characters
		lines, err := s.expanded(ctx, e)
		if err != nil {
			return Disclosure{}, err
		}
		if room -= length(lines...); room >= 0 {
			return disclose(e, lines, rows, room, budget), nil
		}
		e = e.cheaper()
	}
}

// expanded returns the lines of the layer; the index has none but its rows.
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

// length returns how many characters lines take, line feeds included.
func length(lines ...string) int {
	n := 0
	for _, line := range lines {
		n += utf8.RuneCountInString(line) + 1
	}
	return n
}

// disclose renders the expanded layer and then the rows that fit in room, in
// characters.
func disclose(e expansion, expanded []string, rows []Row, room, budget int) Disclosure {
	d := Disclosure{Expanded: e.layer, ID: e.id, Reason: e.reason, Rows: []Row{}, Budget: budget}
	lines := append([]string{e.head()}, expanded...)
	omitted := 0
	for _, row := range rows {
		line := row.String()
		if e.layer == DetailLayer && row.ID == e.id {
			d.Rows = append(d.Rows, row)
			continue
		}
		if room -= length(line); room < 0 {
			omitted++
			continue
		}
		d.Rows = append(d.Rows, row)
		lines = append(lines, line)
	}
	if omitted > 0 {
		lines = append(lines, fmt.Sprintf("%d more are over the budget", omitted))
	}
	if len(rows) > 0 {
		lines = append(lines, expandHint)
	}
	d.addTotal(strings.Join(lines, "\n") + "\n")
	return d
}

// addTotal sets Text to body and a line that says what both cost. The number is
// part of the cost, so addTotal repeats until it no longer grows.
func (d *Disclosure) addTotal(body string) {
	for {
		d.Text = body + fmt.Sprintf("tokens: about %d of %d\n", d.Tokens, d.Budget)
		cost := text.Cost(d.Text)
		if cost <= d.Tokens {
			return
		}
		d.Tokens = cost
	}
}
