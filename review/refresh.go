package review

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/observe"
)

// refreshEvery is how long a review counts as recent.
const refreshEvery = 24 * time.Hour

// Refresh reviews a root once a day, without git, and records how much it found, for the
// start of the next session.
func Refresh(ctx context.Context, root memdir.Root, now time.Time) error {
	cfg, _, err := root.Config()
	if err != nil || !cfg.Review.Announce {
		return err
	}
	last, err := observe.LastReview(root)
	if err != nil || now.Sub(last.Time) < refreshEvery {
		return err
	}
	// A review that takes too long ends with the process. It is not tried again today.
	if err := observe.RecordReview(root, now, last.Findings); err != nil {
		return err
	}
	r, err := Run(ctx, root, Options{Now: now, Days: DefaultDays, Commits: DefaultCommits, NoGit: true})
	if err != nil || len(r.Findings) == last.Findings {
		return err
	}
	return observe.RecordReview(root, now, len(r.Findings))
}
