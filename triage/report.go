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
	Matches   []Match          `json:"matches"`
}

// Report scores the transcript with the thresholds of a configuration.
func (t *Transcript) Report(cfg schemas.Config) Report {
	report := Report{Messages: t.Messages(), Activity: t.Activity}
	for _, r := range t.Score() {
		threshold := cfg.Triage.Thresholds[r.Category]
		report.Categories = append(report.Categories,
			CategoryReport{r.Category, r.Score, threshold, r.Triggers(cfg), r.Matches})
	}
	return report
}
