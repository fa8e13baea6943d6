package doctor

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// The verdicts of a HealthReport.
const (
	GoodHealth     = "GOOD"
	NeedsAttention = "NEEDS ATTENTION"
)

// RetiredDays is how many days a HealthReport looks back for retired memories.
const RetiredDays = 7

// HealthReport judges a memory root.
type HealthReport struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"` // none if the verdict is GoodHealth
	store.Overview
	HeavilyUpdated  []retrieve.Item `json:"heavily_updated"`
	RecentlyRetired []retrieve.Item `json:"recently_retired"`
}

// Health brings the index of a root up to date and judges the root by what Run finds in its
// files and its index.
func Health(ctx context.Context, root memdir.Root, now time.Time) (HealthReport, error) {
	h := HealthReport{Verdict: GoodHealth, Reasons: []string{}}
	e := &examination{Report: Report{Project: root.Project}, now: now}
	var err error
	h.Overview, err = e.checkIndex(ctx, root, func(source retrieve.Source) error { return h.readNews(ctx, source, now) })
	e.checkConfig(root)
	for _, f := range e.Findings {
		if f.reason != "" {
			h.Verdict, h.Reasons = NeedsAttention, append(h.Reasons, f.reason)
		}
	}
	return h, err
}

func (h *HealthReport) readNews(ctx context.Context, source retrieve.Source, now time.Time) error {
	heavy, err := source.HeavilyUpdated(ctx)
	if err != nil {
		return err
	}
	retired, err := source.RetiredSince(ctx, now.AddDate(0, 0, -RetiredDays))
	h.HeavilyUpdated, h.RecentlyRetired = retrieve.ListItems(source.Root, heavy), retrieve.ListItems(source.Root, retired)
	return err
}

// StatusReport says what a memory root holds and which settings are in force.
type StatusReport struct {
	store.Overview
	Observations ObservationsStatus `json:"observations"`
	Config       schemas.Config     `json:"config"`
}

// ObservationsStatus says what the root keeps of tools, and for how long.
type ObservationsStatus struct {
	Enabled bool `json:"enabled"`
	retrieve.ObservationTotals
	RetentionDays int    `json:"retention_days"`
	MaxMB         int    `json:"max_mb"`
	Due           int    `json:"due_sessions"`      // sessions that "memctl gc" would remove
	Problem       string `json:"problem,omitempty"` // why the folder cannot be read
}

// Status brings the index of a root up to date and describes the root.
func Status(ctx context.Context, root memdir.Root, cfg schemas.Config, now time.Time) (StatusReport, error) {
	o := ObservationsStatus{Enabled: cfg.Observations.Enabled, RetentionDays: cfg.Observations.RetentionDays,
		MaxMB: cfg.Observations.MaxMB}
	overview, err := store.Overlook(ctx, root, func(source retrieve.Source) (err error) {
		o.ObservationTotals, err = source.CountObservations(ctx)
		return err
	})
	due, dueErr := observe.Collect(root, cfg.Observations, now, true)
	o.Due = len(due.Files)
	if dueErr != nil {
		o.Problem = dueErr.Error()
	}
	return StatusReport{overview, o, cfg}, err
}
