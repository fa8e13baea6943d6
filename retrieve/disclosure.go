package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// The relevance from which an answer shows more than the index.
const (
	aloneAt     = 0.92 // a row of this relevance is the one meant, if it is the only one
	winnerAt    = 0.85 // so is the best row, if it is ahead by winnerAhead
	winnerAhead = 0.1
	groupAt     = 0.8 // groupSize rows of this relevance are about one story
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
	Tokens   int    `json:"tokens"` // the approximate cost of Text, at most Budget
	Budget   int    `json:"budget"`
	Text     string `json:"text"`
}

// expand decides by relevance alone which layer to show of which row.
func expand(rows []Row) Disclosure {
	if len(rows) == 0 {
		return Disclosure{Expanded: IndexLayer, Reason: "nothing matches"}
	}
	byRelevance := func(a, b Row) int { return cmp.Compare(b.Relevance, a.Relevance) }
	ranked := slices.SortedStableFunc(slices.Values(rows), byRelevance)
	best := ranked[0]
	ahead := best.Relevance
	if len(ranked) > 1 {
		ahead = hundredths(best.Relevance - ranked[1].Relevance)
	}
	switch group := atLeast(ranked, groupAt); {
	case atLeast(ranked, aloneAt) == 1:
		reason := fmt.Sprintf("the only one of relevance %.2f or more (%.2f)", aloneAt, best.Relevance)
		return Disclosure{Expanded: DetailLayer, ID: best.ID, Reason: reason}
	case best.Relevance >= winnerAt && ahead >= winnerAhead:
		reason := fmt.Sprintf("a clear winner (%.2f, ahead by %.2f)", best.Relevance, ahead)
		return Disclosure{Expanded: DetailLayer, ID: best.ID, Reason: reason}
	case group >= groupSize:
		reason := fmt.Sprintf("%d of relevance %.2f or more", group, groupAt)
		return Disclosure{Expanded: TimelineLayer, ID: best.ID, Reason: reason}
	}
	return Disclosure{Expanded: IndexLayer, Reason: fmt.Sprintf("no clear match (best %.2f)", best.Relevance)}
}

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
func (d Disclosure) head() string {
	shown := "expanded: nothing: "
	switch d.Expanded {
	case DetailLayer:
		shown = "expanded: all of " + d.ID + ": "
	case TimelineLayer:
		shown = "expanded: the timeline of " + d.ID + ": "
	}
	return text.OneLine(shown+d.Reason, maxHead-1)
}

// fallBack takes the next cheaper layer.
func (d *Disclosure) fallBack() {
	reason, _, _ := strings.Cut(d.Reason, "; ")
	if d.Expanded == DetailLayer {
		d.Expanded, d.Reason = TimelineLayer, reason+"; all of it is over the budget"
	} else {
		d.Expanded, d.ID, d.Reason = IndexLayer, "", reason+"; no more is within the budget"
	}
}

// Disclose renders rows of the index and, if one is certainly meant, its timeline
// or its detail. The budget is in tokens, at least MinBudget. If a layer does not
// fit, Disclose takes the next cheaper one. Then it leaves out rows that do not fit.
func (s Sources) Disclose(ctx context.Context, rows []Row, budget int) (Disclosure, error) {
	d := expand(rows)
	d.Budget = budget
	for {
		lines, err := s.expanded(ctx, d)
		if err != nil {
			return Disclosure{}, err
		}
		lines = slices.Insert(lines, 0, d.head())
		room := 4*budget - length(lines...) - length(expandHint) - maxOmission - maxTotal // characters
		if room >= 0 {
			d.render(lines, rows, room)
			return d, nil
		}
		d.fallBack()
	}
}

// expanded returns the lines of the layer, none for the index.
func (s Sources) expanded(ctx context.Context, d Disclosure) ([]string, error) {
	if d.Expanded == IndexLayer {
		return nil, nil
	}
	ref, err := s.Lookup(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	if d.Expanded == DetailLayer {
		detail, err := s.Detail(ctx, ref)
		return detail.lines(), err
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

// render sets Text to lines and then the rows that fit in room, in characters.
func (d *Disclosure) render(lines []string, rows []Row, room int) {
	d.Rows = []Row{}
	for _, row := range rows {
		if d.Expanded != DetailLayer || row.ID != d.ID {
			line := row.String()
			if room -= length(line); room < 0 {
				continue
			}
			lines = append(lines, line)
		}
		d.Rows = append(d.Rows, row)
	}
	if omitted := len(rows) - len(d.Rows); omitted > 0 {
		lines = append(lines, fmt.Sprintf("%d more are over the budget", omitted))
	}
	if len(rows) > 0 {
		lines = append(lines, expandHint)
	}
	d.addTotal(strings.Join(lines, "\n") + "\n")
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
