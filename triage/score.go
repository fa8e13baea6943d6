// Package triage scores a session's transcript for each category of memory: text in,
// scores with their reasons out, by counting words and without a model. It reads the
// end of a transcript, whose lines package clients turns into messages, and writes no
// file.
//
// words.txt and signs.txt hold everything that it looks for.
package triage

import (
	_ "embed"
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// CategoryScore is the score of one category, with its reasons.
type CategoryScore struct {
	Category schemas.Category
	Score    float64 // 0 to 1
	Matches  []Match // in order; none for a session summary
	// Fixed lists the commands that failed in the session and worked later, a line each.
	Fixed []string
}

// Triggers reports whether the category reaches its threshold and is not switched off.
func (r CategoryScore) Triggers(cfg schemas.Config) bool {
	return cfg.Captures(r.Category) && r.Score >= cfg.Triage.Thresholds[r.Category]
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
func (t *Transcript) Score() []CategoryScore {
	hits := t.hits()
	var results []CategoryScore
	for i, rule := range Rules {
		matches := t.matches(i, hits)
		score := rule.score(matches)
		results = append(results, CategoryScore{Category: rule.Category, Score: score, Matches: matches})
	}
	return append(results, CategoryScore{Category: schemas.SessionSummary, Score: t.Activity.score(),
		Matches: []Match{}})
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
func (t *Transcript) Snippets(r CategoryScore) []string {
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

// wordsFile lists the words of Rules.
//
//go:embed words.txt
var wordsFile string

// Rule says how one category is recognised by its words. A line with a primary word
// scores Boosted points if a booster is near it, else Points. The score is the sum divided
// by Full, which is the most that all lines together can reach.
type Rule struct {
	Category schemas.Category
	Points   float64 // per line, for at most maxPlain lines
	Boosted  float64 // per line with a booster, for at most maxBoosted lines
	Full     float64
}

const (
	maxPlain    = 3
	maxBoosted  = 2
	maxDistance = 4 // lines from a primary word to its booster, before or after
)

// Rules lists the categories that are recognised by words, in the order of the answer.
var Rules = [...]Rule{
	{schemas.Decision, 0.3, 0.5, 1.9},
	{schemas.Runbook, 0.2, 0.6, 1.8},
	{schemas.Constraint, 0.3, 0.5, 1.9},
	{schemas.TechDebt, 0.3, 0.5, 1.9},
	{schemas.Preference, 0.35, 0.5, 2.05},
}

// A session summary scores by the work done, not by words.
const (
	toolUsePoints      = 0.05
	distinctToolPoints = 0.1
	exchangePoints     = 0.02
)
