package triage

import (
	_ "embed"

	"memctl/schemas"
)

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

// A session summary scores by what was done, not by words.
const (
	toolUsePoints      = 0.05
	distinctToolPoints = 0.1
	exchangePoints     = 0.02
)
