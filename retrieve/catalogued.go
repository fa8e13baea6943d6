package retrieve

import (
	"context"

	"memctl/db"
	"memctl/memdir"
	"memctl/text"
)

// The functions below are for the catalogue, an index of many roots.

// Relevances returns the relevance of each result of q, 0 to 1 in hundredths.
func Relevances(ctx context.Context, d *db.DB, q Query, results []Result) ([]float64, error) {
	return Sources{{DB: d}}.Relevances(ctx, q, results)
}

// Found returns an entry of a search for a memory of a root. The result's path is below
// the root.
func (r Result) Found(root memdir.Root, relevance float64) IndexEntry {
	return IndexEntry{
		Found:     r.found(root),
		Type:      MemoryType,
		Relevance: relevance,
		Summary:   r.summary(root),
		Tokens:    text.CostOf(int(r.Size)),
	}
}
