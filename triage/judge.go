package triage

import (
	"fmt"
	"strings"
	"sync"

	"memctl/schemas"
	"memctl/text"
)

// Result is what the transcript says about one category.
type Result struct {
	Category schemas.Category
	Score    float64 // 0 to 1
	Matches  []Match // in order; none for a session summary
	// Fixed says what failed in the session and worked later, a line each.
	Fixed    []string
	activity *Activity
}

// Triggers tells whether the category reaches its threshold and is not switched off.
func (r Result) Triggers(cfg schemas.Config) bool {
	settings := cfg.Categories[r.Category]
	return settings.Enabled && settings.AutoCapture && r.Score >= cfg.Triage.Thresholds[r.Category]
}

// Match is a line with a primary word.
type Match struct {
	Line    int // counted from 0, of the text without code
	Word    string
	Booster string // "" where none is near
	Points  float64
}

// words are the rules' own, from the first use on.
var words struct {
	sync.Once
	*dictionary
}

// Judge scores every category, in the order of the answer.
func (t *Transcript) Judge() []Result {
	words.Do(func() { words.dictionary = newDictionary(Rules) })
	d := words.dictionary
	hits := t.hits(d)
	results := make([]Result, 0, len(Rules)+1)
	for i, rule := range Rules {
		r := Result{Category: rule.Category, Matches: matches(d, hits, i)}
		r.Score = rule.score(r.Matches)
		results = append(results, r)
	}
	return append(results, Result{Category: schemas.SessionSummary, Score: t.Activity.score(), activity: &t.Activity})
}

// hit is a line that holds words: for each rule and kind the first one's number.
type hit struct {
	line    int32
	numbers [5][kinds]uint16
}

func (t *Transcript) hits(d *dictionary) []hit {
	var hits []hit
	for i, line := range t.lines {
		h := hit{line: int32(i)}
		d.find(line, func(number uint16) {
			p := &d.phrases[number]
			if first := &h.numbers[p.rule][p.kind]; *first == 0 {
				*first = number
			}
		})
		if h.numbers != (hit{}).numbers {
			hits = append(hits, h)
		}
	}
	return hits
}

// matches returns the lines with a primary word of a rule.
func matches(d *dictionary, hits []hit, rule int) []Match {
	var found []Match
	for i, h := range hits {
		if number := h.numbers[rule][primary]; number != 0 {
			found = append(found, Match{Line: int(h.line), Word: d.phrases[number].text, Booster: d.phrases[nearest(hits, i, rule)].text})
		}
	}
	return found
}

// nearest returns the number of the booster that is nearest to a hit, 0 for none.
func nearest(hits []hit, at, rule int) uint16 {
	best, distance := uint16(0), int32(near+1)
	look := func(i int) bool {
		away := hits[i].line - hits[at].line
		away = max(away, -away)
		if number := hits[i].numbers[rule][booster]; number != 0 && away < distance {
			best, distance = number, away
		}
		return away <= near
	}
	for i := at; i >= 0 && look(i); i-- {
	}
	for i := at + 1; i < len(hits) && look(i); i++ {
	}
	return best
}

// score gives the matches their points and returns the sum's share of Full. The
// points are added one by one, in order: the last bit may decide at a threshold.
func (r Rule) score(matches []Match) float64 {
	sum, plain, boosted := 0.0, 0, 0
	for i := range matches {
		switch m := &matches[i]; {
		case m.Booster != "" && boosted < maxBoosted:
			boosted++
			m.Points = r.Boosted
		case plain < maxPlain:
			plain++
			m.Points = r.Points
		}
		sum += matches[i].Points
	}
	return min(1, sum/r.Full)
}

func (a Activity) score() float64 {
	// Each product is rounded on its own: fused, some processors would give others.
	tools := float64(float64(a.ToolUses) * toolUsePoints)
	distinct := float64(float64(a.DistinctTools) * distinctToolPoints)
	return min(1, tools+distinct+float64(float64(a.Exchanges)*exchangePoints))
}

func (a Activity) String() string {
	return fmt.Sprintf("%d tool uses across %d tools, %d exchanges", a.ToolUses, a.DistinctTools, a.Exchanges)
}

// maxSnippet is how many code points of a line are quoted.
const maxSnippet = 120

// Line returns a line of the text without code, counted from 0, cut to
// what is quoted.
func (t *Transcript) Line(i int) string {
	return text.Truncate(strings.TrimFunc(t.lines[i], isSpace), maxSnippet)
}

// Snippets quotes the lines that scored, each once; for a session summary it
// says what was done.
func (t *Transcript) Snippets(r Result) []string {
	if r.activity != nil {
		return []string{r.activity.String()}
	}
	var quoted []string
	seen := map[string]bool{}
	for _, m := range r.Matches {
		if m.Points == 0 {
			continue
		}
		if s := t.Line(m.Line); !seen[s] {
			seen[s] = true
			quoted = append(quoted, s)
		}
	}
	return quoted
}
