package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// observationsStatus is what status says of observations.
type observationsStatus struct {
	Enabled bool `json:"enabled"`
	retrieve.Observed
	RetentionDays int    `json:"retention_days"`
	MaxMB         int    `json:"max_mb"`
	Due           int    `json:"due_sessions"`      // that gc would remove
	Problem       string `json:"problem,omitempty"` // why there can be none
}

func readObservationsStatus(ctx context.Context, ix *indexer.Index, root memdir.Root, cfg schemas.ObservationsConfig, now time.Time) (observationsStatus, error) {
	s := observationsStatus{Enabled: cfg.Enabled, RetentionDays: cfg.RetentionDays, MaxMB: cfg.MaxMB}
	var err error
	if s.Observed, err = retrieve.HowMuchObserved(ctx, ix.DB); err != nil {
		return s, err
	}
	due, err := observe.Collect(root, cfg, now, true)
	if s.Due = len(due.Files); err != nil {
		s.Problem = err.Error()
	}
	return s, nil
}

func (s observationsStatus) String() string {
	parts := []string{onOff(s.Enabled)}
	switch {
	case s.Sessions > 0:
		parts = append(parts, fmt.Sprintf("%s of %s, %s", text.Plural(s.Runs, "run", "runs"), text.Plural(s.Sessions, "session", "sessions"), sizeOf(s.Bytes)))
	case s.Enabled:
		parts = append(parts, "none yet")
	}
	if s.First != "" {
		parts = append(parts, "since "+day(s.First))
	}
	if s.RetentionDays > 0 && s.Enabled {
		parts = append(parts, "kept "+text.Plural(s.RetentionDays, "day", "days"))
	}
	if s.MaxMB > 0 && s.Enabled {
		parts = append(parts, fmt.Sprintf("at most %d MB", s.MaxMB))
	}
	if s.Due > 0 {
		parts = append(parts, fmt.Sprintf(`"memctl gc" would remove %s`, text.Plural(s.Due, "session", "sessions")))
	}
	if s.Problem != "" {
		parts = append(parts, text.Printable(s.Problem))
	}
	return strings.Join(parts, ", ")
}
