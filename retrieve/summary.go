package retrieve

import (
	"context"
	"slices"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// Summaries returns the active session summaries that were updated last, the last one first, at most a number of them.
// It leaves out files that cannot be read.
func (s Source) Summaries(ctx context.Context, limit int) (list []schemas.Memory, err error) {
	paths, err := db.Query[string](ctx, s.DB, `
		SELECT path
		FROM memories
		WHERE category = 'session_summary' AND record_status = 'active'
		ORDER BY updated_unix DESC
		LIMIT ?`, limit)
	for _, path := range paths {
		if _, m, ok := readMemory(s.Root, path); ok {
			list = append(list, m)
		}
	}
	return list, err
}

const (
	// leastShared and leastPart say how much two titles of summaries share that are about the same work: some words, and
	// most of those of the shorter one.
	leastShared = 2
	leastPart   = .75
)

// SameWork reports whether two summaries are about the same work, by their titles.
func SameWork(a, b string) bool {
	one, two := text.Words(a), text.Words(b)
	if len(one) > len(two) {
		one, two = two, one
	}
	shared := 0
	for _, word := range one {
		if slices.Contains(two, word) {
			shared++
		}
	}
	return shared >= leastShared && float64(shared) >= leastPart*float64(len(one))
}
