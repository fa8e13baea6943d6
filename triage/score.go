package triage

import (
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Result is the score of one category, with its reasons.
type Result struct {
	Category schemas.Category
	Score    float64 // 0 to 1
	Matches  []Match // in order; none for a session summary
	// Fixed says what failed in the session and worked later, a line each.
	Fixed []string
}

// Triggers reports whether the category reaches its threshold and is not switched off.
func (r Result) Triggers(cfg schemas.Config) bool {
	settings := cfg.Categories[r.Category]
	return settings.Enabled && settings.AutoCapture && r.Score >= cfg.Triage.Thresholds[r.Category]
}

// Match is a line with one of the category's primary words. It has no points if enough
// lines counted before it.
type Match struct {
	Line    int     `json:"line"` // counted from 1, of the text without code
	Points  float64 `json:"points"`
	Word    string  `json:"word"`
	Booster string  `json:"booster,omitempty"` // "" if none is near
	Text    string  `json:"text"`              // the line, cut to maxSnippet
}

// Score scores every category, in the order of the answer.
func (t *Transcript) Score() []Result {
	hits := t.hits()
	var results []Result
	for i, rule := range Rules {
		matches := t.matches(i, hits)
		score := rule.score(matches)
		results = append(results, Result{Category: rule.Category, Score: score, Matches: matches})
	}
	return append(results, Result{Category: schemas.SessionSummary, Score: t.Activity.score(), Matches: []Match{}})
}

// hit is a line with words of the rules: the first of each rule and kind.
type hit struct {
	line  int
	words [len(Rules)][kinds]*phrase
}

func (t *Transcript) hits() []hit {
	var hits []hit
	for i, line := range t.lines {
		h := hit{line: i}
		found := false
		for _, p := range ruleDictionary().find(line) {
			found = true
			if first := &h.words[p.rule][p.kind]; *first == nil {
				*first = p
			}
		}
		if found {
			hits = append(hits, h)
		}
	}
	return hits
}

// matches returns the lines with a primary word of a rule.
func (t *Transcript) matches(rule int, hits []hit) []Match {
	matches := []Match{}
	for i, h := range hits {
		if word := h.words[rule][primary]; word != nil {
			quoted := text.Truncate(strings.TrimFunc(t.lines[h.line], isSpace), maxSnippet)
			near := nearestBooster(rule, hits, i)
			matches = append(matches, Match{Line: h.line + 1, Word: word.text, Booster: near, Text: quoted})
		}
	}
	return matches
}

// nearestBooster returns the booster that is nearest to a hit, of two the one before;
// "" if none is near.
func nearestBooster(rule int, hits []hit, at int) string {
	line, nearest, distance := hits[at].line, "", maxDistance+1
	for i := at; i >= 0 && line-hits[i].line < distance; i-- {
		if word := hits[i].words[rule][booster]; word != nil {
			nearest, distance = word.text, line-hits[i].line
		}
	}
	for i := at + 1; i < len(hits) && hits[i].line-line < distance; i++ {
		if word := hits[i].words[rule][booster]; word != nil {
			nearest, distance = word.text, hits[i].line-line
		}
	}
	return nearest
}

// score gives the matches their points and returns the sum's share of Full. It adds
// the points one by one, in order: the last bit may decide at a threshold.
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
	// The conversions round each product on its own. Some processors would fuse the
	// operations, with another result.
	tools := float64(float64(a.ToolUses) * toolUsePoints)
	distinct := float64(float64(a.DistinctTools) * distinctToolPoints)
	return min(1, tools+distinct+float64(float64(a.Exchanges)*exchangePoints))
}

func (a Activity) String() string {
	return fmt.Sprintf("%d tool uses across %d tools, %d exchanges", a.ToolUses, a.DistinctTools, a.Exchanges)
}

// maxSnippet is how many code points of a line are quoted.
const maxSnippet = 120

// Snippets quotes the lines that scored, each once. For a session summary it says what
// was done.
func (t *Transcript) Snippets(r Result) []string {
	if r.Category == schemas.SessionSummary {
		return []string{t.Activity.String()}
	}
	var snippets []string
	seen := map[string]bool{}
	for _, m := range r.Matches {
		if m.Points > 0 && !seen[m.Text] {
			seen[m.Text] = true
			snippets = append(snippets, m.Text)
		}
	}
	return snippets
}
