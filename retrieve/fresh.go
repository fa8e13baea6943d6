package retrieve

import (
	"context"

	"memctl/db"
	"memctl/indexer"
)

// freshAttempts is how often Fresh ranks while files keep changing.
const freshAttempts = 3

// Fresh ranks the memories of all sources for q as those of one. It leaves out memories
// for which others stand, and those over q.UserShare. Then it compares each result with its
// own file: if a file was edited since it was indexed, Fresh updates the index and ranks
// again.
func (s Sources) Fresh(ctx context.Context, q Query) ([]Result, error) {
	return s.fresh(ctx, q, s.choose)
}

// fresh is Fresh with another choice of the ranked memories.
func (s Sources) fresh(ctx context.Context, q Query, choose func(context.Context, Query, []Result) ([]Result, error)) ([]Result, error) {
	for attempt := 1; ; attempt++ {
		results, err := s.rank(ctx, q)
		if err == nil {
			results, err = choose(ctx, q, results)
		}
		if err != nil || attempt == freshAttempts {
			return results, err
		}
		if changed, err := s.refresh(ctx, results); err != nil || !changed {
			return results, err
		}
	}
}

// refresh updates the rows of results whose files have changed, and reports whether any
// have.
func (s Sources) refresh(ctx context.Context, results []Result) (changed bool, err error) {
	err = s.each(func(source Source) error {
		var stamps []db.Stamp
		for _, r := range results {
			if r.Root.Is(source.Root) {
				stamps = append(stamps, r.Stamp())
			}
		}
		stale := indexer.Stale(source.Root, stamps)
		if len(stale) == 0 {
			return nil
		}
		refreshed, err := indexer.Refresh(ctx, source.DB, source.Root, stale)
		changed = changed || refreshed
		return err
	})
	return changed, err
}
