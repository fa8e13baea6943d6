package retrieve

import (
	"context"
	"fmt"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// The verdicts of a HealthReport.
const (
	Good           = "GOOD"
	NeedsAttention = "NEEDS ATTENTION"
)

// RetiredDays is how many days a HealthReport looks back for retired memories.
const RetiredDays = 7

// HealthReport judges a memory root.
type HealthReport struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"` // none if the verdict is Good
	Overview
	HeavilyUpdated  []Item `json:"heavily_updated"`
	RecentlyRetired []Item `json:"recently_retired"`
}

// Health brings the index of a root up to date and judges the root.
func Health(ctx context.Context, root memdir.Root, now time.Time) (HealthReport, error) {
	h := HealthReport{Verdict: Good, Reasons: []string{}}
	var err error
	h.Overview, err = ReadOverview(ctx, root, func(ix *indexer.Index) error { return h.readNews(ctx, root, ix, now) })
	if n := len(h.Problems); n > 0 {
		h.Reasons = append(h.Reasons, text.Plural(n, "file is not a valid memory; fix or remove it", "files are not valid memories; fix or remove them"))
	}
	if h.Index.Trouble != "" {
		h.Reasons = append(h.Reasons, h.Index.Trouble)
	}
	h.Reasons = append(h.Reasons, configProblems(root)...)
	if len(h.Reasons) > 0 {
		h.Verdict = NeedsAttention
	}
	return h, err
}

func (h *HealthReport) readNews(ctx context.Context, root memdir.Root, ix *indexer.Index, now time.Time) error {
	heavy, err := HeavilyUpdated(ctx, ix.DB)
	if err != nil {
		return err
	}
	retired, err := RetiredSince(ctx, ix.DB, now.AddDate(0, 0, -RetiredDays))
	h.HeavilyUpdated, h.RecentlyRetired = ListItems(root, heavy), ListItems(root, retired)
	return err
}

// configProblems says what in memory-config.json memctl cannot use.
func configProblems(root memdir.Root) []string {
	_, warnings, err := root.Config()
	if err != nil {
		return []string{fmt.Sprintf("%s cannot be read: %v", memdir.ConfigName, err)}
	}
	problems := make([]string, len(warnings))
	for i, w := range warnings {
		problems[i] = w.String()
	}
	return problems
}

// StatusReport says what a memory root holds and which settings are in force.
type StatusReport struct {
	Overview
	Observations ObservationsStatus `json:"observations"`
	Config       schemas.Config     `json:"config"`
}

// ObservationsStatus says what the root keeps of tools, and for how long.
type ObservationsStatus struct {
	Enabled bool `json:"enabled"`
	ObservationTotals
	RetentionDays int    `json:"retention_days"`
	MaxMB         int    `json:"max_mb"`
	Due           int    `json:"due_sessions"`      // sessions that "memctl gc" would remove
	Problem       string `json:"problem,omitempty"` // why the folder cannot be read
}

// Status brings the index of a root up to date and describes the root.
func Status(ctx context.Context, root memdir.Root, cfg schemas.Config, now time.Time) (StatusReport, error) {
	o := ObservationsStatus{Enabled: cfg.Observations.Enabled, RetentionDays: cfg.Observations.RetentionDays, MaxMB: cfg.Observations.MaxMB}
	overview, err := ReadOverview(ctx, root, func(ix *indexer.Index) (err error) {
		o.ObservationTotals, err = countObservations(ctx, ix.DB)
		return err
	})
	due, dueErr := observe.Collect(root, cfg.Observations, now, true)
	o.Due = len(due.Files)
	if dueErr != nil {
		o.Problem = dueErr.Error()
	}
	return StatusReport{overview, o, cfg}, err
}
