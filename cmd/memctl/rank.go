package main

import (
	"context"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
)

// rankFresh ranks, then looks at the files of what it found: an edit that the
// index has not seen is taken in and the ranking done again.
func rankFresh(ctx context.Context, root memdir.Root, depth indexer.Depth, q retrieve.Query) ([]retrieve.Result, error) {
	var results []retrieve.Result
	err := indexer.Use(ctx, root, depth, func(ix *indexer.Index) (err error) {
		results, err = rankOn(ctx, root, ix, q)
		return err
	})
	return results, err
}

func rankOn(ctx context.Context, root memdir.Root, ix *indexer.Index, q retrieve.Query) ([]retrieve.Result, error) {
	const attempts = 3 // somebody who edits faster than that gets the last ranking
	for attempt := 1; ; attempt++ {
		results, err := retrieve.Rank(ctx, ix.DB, q)
		if err != nil || attempt == attempts {
			return results, err
		}
		stamps := make([]db.Stamp, len(results))
		for i, r := range results {
			stamps[i] = r.Stamp()
		}
		stale := indexer.Stale(root, stamps)
		if len(stale) == 0 {
			return results, nil
		}
		changed, err := indexer.Refresh(ctx, ix.DB, root, stale)
		if err != nil || !changed {
			return results, err
		}
	}
}
