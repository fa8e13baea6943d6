package writer

import (
	"errors"
	"reflect"
	"strconv"

	"memctl/schemas"
	"memctl/text"
)

const (
	// maxChanges is how many entries of history a memory keeps.
	maxChanges = schemas.MaxChanges
	// maxSummary is the longest reason and the longest summary, in code points.
	maxSummary = schemas.MaxSummary
)

func cut(s string) string { return text.Truncate(s, maxSummary) }

// change returns an entry of history. The values are as schemas.DecodeAny decodes them.
func change(now, summary, field string, from, to any) schemas.Change {
	before, _ := schemas.EncodeJSON(from)
	after, _ := schemas.EncodeJSON(to)
	return schemas.Change{Date: now, Summary: cut(summary), Field: field, OldValue: before, NewValue: after}
}

// addChange adds an entry to the history of a memory.
func (m *memory) addChange(doc *schemas.Memory, entry schemas.Change) error {
	switch other := doc.Rest["changes"].(type) {
	case nil:
		doc.Changes = latest(append(doc.Changes, entry))
	case []any: // with entries that are none; they stay
		doc.Rest["changes"] = latest(append(other, entry))
	default:
		return unreadable(m.place, errNoHistory)
	}
	return nil
}

var errNoHistory = errors.New("changes: expected a list")

func latest[T any](changes []T) []T { return changes[max(0, len(changes)-maxChanges):] }

// mergeChanges makes the draft's history the memory's, followed by the entries that
// the draft adds and those that merging made. A history must grow by at least one
// entry. It keeps the last maxChanges.
func mergeChanges(old, draft *schemas.Memory, made []schemas.Change) error {
	before, given := old.Changes, draft.Changes
	count := strconv.Itoa(len(before))
	if len(given) < len(before) {
		return mergeError("changes", "append-only",
			"keep the entries of the file and add one that says what you changed",
			Detail{"old_count", count}, Detail{"new_count", strconv.Itoa(len(given))})
	}
	added := append(addedTo(before, given), made...)
	if total := len(given) + len(made); total <= len(before) || len(added) == 0 {
		return mergeError("changes", "append-only (new entry required)",
			`add an entry {"date", "summary"} that says what you changed`,
			Detail{"old_count", count}, Detail{"total_count", strconv.Itoa(total)})
	}
	draft.Changes = latest(append(before[:len(before):len(before)], added...))
	return nil
}

// addedTo returns the entries that a draft adds to a history. A draft may be made
// from an earlier version of the memory, whose history has since gained entries and
// lost its oldest. So addedTo finds the longest start of the history that the draft
// also has, and returns what follows it in the draft. If they share nothing, it
// returns what the draft has beyond the length of the history.
func addedTo(before, given []schemas.Change) []schemas.Change {
	longest, end := 0, len(before)
	for start := range given {
		n := 0
		for n < len(before) && start+n < len(given) && reflect.DeepEqual(before[n], given[start+n]) {
			n++
		}
		if n > longest {
			longest, end = n, start+n
		}
	}
	return given[end:]
}
