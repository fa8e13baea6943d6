package retrieve

import (
	"context"
	"iter"
	"slices"
	"strings"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// SavedSummary is a session summary, and the path of its file below the root.
type SavedSummary struct {
	Path string
	schemas.Memory
}

// Summaries reads the active session summaries that were updated last, the last one first, at most a number of them.
// It leaves out files that cannot be read.
func (s Source) Summaries(ctx context.Context, limit int) (iter.Seq[SavedSummary], error) {
	paths, err := db.Query[string](ctx, s.DB, `
		SELECT path
		FROM memories
		WHERE category = 'session_summary' AND record_status = 'active'
		ORDER BY updated_unix DESC
		LIMIT ?`, limit)
	return func(yield func(SavedSummary) bool) {
		for _, path := range paths {
			if _, m, ok := readMemory(s.Root, path); ok && !yield(SavedSummary{path, m}) {
				return
			}
		}
	}, err
}

// leastPart is how much of the longer title two summaries share that are about the same work.
const leastPart = .75

// SameWork reports whether two summaries are about the same work, by their titles: they are equal, one is the beginning
// of the other up to a sign, or they share most words and all numbers.
func SameWork(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	a, b = strings.TrimRight(text.Lower(a), " .。"), strings.TrimRight(text.Lower(b), " .。")
	if rest, begins := strings.CutPrefix(b, a); begins && a != "" {
		return rest == "" || strings.ContainsAny(rest[:1], ":,;.(") || strings.HasPrefix(rest, " -") ||
			strings.HasPrefix(rest, " –")
	}
	one, two := text.Words(a), text.Words(b)
	shared := 0
	for _, word := range one {
		if slices.Contains(two, word) {
			shared++
		}
	}
	return shared > 1 && float64(shared) >= leastPart*float64(max(len(one), len(two))) &&
		slices.Equal(numbersIn(one), numbersIn(two))
}

// numbersIn returns the words that have a digit, sorted.
func numbersIn(words []string) []string {
	list := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return !strings.ContainsAny(word, "0123456789")
	})
	slices.Sort(list)
	return list
}
