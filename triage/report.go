package triage

import "memctl/schemas"

// Report is the scores of a transcript, with the lines that count.
type Report struct {
	Messages   int              `json:"messages"`
	Activity   Activity         `json:"activity"`
	Categories []CategoryReport `json:"categories"`
}

// CategoryReport is the score of one category, and why.
type CategoryReport struct {
	Category  schemas.Category `json:"category"`
	Score     float64          `json:"score"`
	Threshold float64          `json:"threshold"`
	Triggers  bool             `json:"triggers"`
	Matches   []MatchReport    `json:"matches"`
}

// MatchReport is a line with one of the category's words. It has no points if
// enough lines counted before it.
type MatchReport struct {
	Line    int     `json:"line"` // counted from 1, of the text without code
	Points  float64 `json:"points"`
	Word    string  `json:"word"`
	Booster string  `json:"booster,omitempty"`
	Text    string  `json:"text"`
}

// Report scores the transcript with the thresholds of a configuration.
func (t *Transcript) Report(cfg schemas.Config) Report {
	report := Report{Messages: t.Messages(), Activity: t.Activity}
	for _, r := range t.Score() {
		c := CategoryReport{r.Category, r.Score, cfg.Triage.Thresholds[r.Category], r.Triggers(cfg), []MatchReport{}}
		for _, m := range r.Matches {
			c.Matches = append(c.Matches, MatchReport{m.Line + 1, m.Points, m.Word, m.Booster, t.Line(m.Line)})
		}
		report.Categories = append(report.Categories, c)
	}
	return report
}
