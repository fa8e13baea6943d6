package writer

import (
	"reflect"
	"strconv"

	"memctl/schemas"
	"memctl/text"
)

// maxSummary is the longest reason and the longest summary, in code points.
const maxSummary = 300

func cut(s string) string { return text.Truncate(s, maxSummary) }

// mergeChanges makes the history of a draft the one of the memory, then what
// the draft adds, then the entries that merging made. The history only grows, by
// one entry at least; beyond maxChanges the oldest go.
func mergeChanges(old, draft schemas.Document, made []any) error {
	before, _ := old["changes"].([]any)
	given, _ := draft["changes"].([]any)
	if len(given) < len(before) {
		return broken("changes", "append-only", count("old_count", len(before)), count("new_count", len(given)),
			Detail{"fix", "keep the entries of the file and add one that says what you changed"})
	}
	added := append(addedTo(before, given), made...)
	if total := len(given) + len(made); total <= len(before) || len(added) == 0 {
		return broken("changes", "append-only (new entry required)", count("old_count", len(before)), count("total_count", total),
			Detail{"fix", `add an entry {"date", "summary"} that says what you changed`})
	}
	draft["changes"] = latest(append(before[:len(before):len(before)], added...))
	return nil
}

// addedTo returns the entries that a draft adds to a history. The draft's own
// may be of an earlier reading: it then ends in something that the memory does
// not have, while the memory has gained entries and lost its oldest. So the two
// are laid over each other where they agree the longest, and what the draft has
// beyond that is new. Where they agree nowhere, only the surplus is.
func addedTo(before, given []any) []any {
	best, end := 0, len(before)
	for start := range given {
		n := 0
		for n < len(before) && start+n < len(given) && reflect.DeepEqual(before[n], given[start+n]) {
			n++
		}
		if n > best {
			best, end = n, start+n
		}
		if n == len(before) {
			break
		}
	}
	return given[end:]
}

func latest(changes []any) []any { return changes[max(0, len(changes)-maxChanges):] }

func count(key string, n int) Detail { return Detail{key, strconv.Itoa(n)} }
