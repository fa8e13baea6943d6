package retrieve

import (
	"context"

	"memctl/db"
	"memctl/indexer"
)

// freshAttempts is how often Fresh ranks while files keep changing.
const freshAttempts = 3

// Fresh ranks, then compares each result with its own file. If a file was edited since
// it was indexed, Fresh updates the index and ranks again.
func (s Source) Fresh(ctx context.Context, q Query) ([]Result, error) {
	for attempt := 1; ; attempt++ {
		results, err := Rank(ctx, s.DB, q)
		if err != nil || attempt == freshAttempts {
			return results, err
		}
		stamps := make([]db.Stamp, len(results))
		for i, r := range results {
			stamps[i] = r.Stamp()
		}
		stale := indexer.Stale(s.Root, stamps)
		if len(stale) == 0 {
			return results, nil
		}
		changed, err := indexer.Refresh(ctx, s.DB, s.Root, stale)
		if err != nil || !changed {
			return results, err
		}
	}
}
