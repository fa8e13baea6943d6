package clients

import (
	"io"

	"memctl/schemas"
	"memctl/triage"
)

// Scores are the scores of a transcript, with the lines that count.
type Scores struct {
	Messages   int             `json:"messages"`
	Activity   triage.Activity `json:"activity"`
	Categories []CategoryScore `json:"categories"`
	// Turns are the points of the turns, with triage.strategy "moments".
	Turns []triage.TurnPoints `json:"turns,omitempty"`
}

// CategoryScore is the score of one category, and why.
type CategoryScore struct {
	Category  schemas.Category `json:"category"`
	Score     float64          `json:"score"`
	Threshold float64          `json:"threshold"`
	Triggers  bool             `json:"triggers"`
	Matches   []triage.Match   `json:"matches"`
}

// Score scores the end of a transcript of any client with the thresholds of a configuration.
func Score(transcript io.ReaderAt, size int64, cfg schemas.Config) (Scores, error) {
	client := OfTranscript(io.NewSectionReader(transcript, 0, size))
	source := triage.Source{In: transcript, Size: size, Messages: client.Messages}
	t, err := triage.Read(source, triage.Window{Messages: cfg.Triage.MaxMessages}, cfg.Privacy.Filter())
	if err != nil {
		return Scores{}, err
	}
	scores := Scores{Messages: t.Messages(), Activity: t.Activity}
	for _, r := range t.Score() {
		threshold := cfg.Triage.Thresholds[r.Category]
		scores.Categories = append(scores.Categories,
			CategoryScore{r.Category, r.Score, threshold, r.Triggers(cfg), r.Matches})
	}
	if cfg.Triage.Strategy == schemas.Moments {
		scores.Turns, err = pointsOf(source, cfg)
	}
	return scores, err
}

// pointsOf returns the points of the turns of a whole session. After a turn at whose end it is asked,
// the count begins anew.
func pointsOf(source triage.Source, cfg schemas.Config) (points []triage.TurnPoints, err error) {
	turns, _, err := triage.AllTurns(source, cfg.Privacy.Filter())
	var w triage.Watch
	for _, t := range turns {
		p := w.Add(t)
		if p.Asks {
			w.Reset()
		}
		points = append(points, p)
	}
	return points, err
}
