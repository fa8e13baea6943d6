package versions

import (
	"slices"
	"time"

	"memctl/schemas"
)

// items is a list without repetitions. Items are compared by their JSON.
type items struct {
	list     []any
	keys     []string
	at       map[string]int
	repeated bool // the list had an item twice
}

func newItems(list []any) items {
	in := items{at: make(map[string]int, len(list))}
	for _, item := range list {
		key := keyOf(item)
		if in.has(key) {
			in.repeated = true
			continue
		}
		in.at[key] = len(in.list)
		in.list, in.keys = append(in.list, item), append(in.keys, key)
	}
	return in
}

func keyOf(item any) string {
	key, _ := schemas.EncodeJSON(item) // was decoded from JSON
	return string(key)
}

func (in items) has(key string) bool {
	_, ok := in.at[key]
	return ok
}

// first is 0 for an item that the list has, else 1.
func (in items) first(item any) int {
	if in.has(keyOf(item)) {
		return 0
	}
	return 1
}

// listOf returns a list, an empty one for an absent value.
func listOf(v any) (list []any, ok bool) {
	if v == (absent{}) {
		return nil, true
	}
	list, ok = v.([]any)
	return list, ok
}

// mergeLists merges lists in which the order may matter. It fails where a person has to
// choose: where both sides replaced the same item, or nothing is left.
func mergeLists(v versions) (merged []any, ok bool) {
	oursList, okOurs := v.ours.([]any)
	theirsList, okTheirs := v.theirs.([]any)
	if !okOurs || !okTheirs {
		return nil, false
	}
	baseList, _ := v.base.([]any)
	base, ours, theirs := newItems(baseList), newItems(oursList), newItems(theirsList)
	if base.repeated || ours.repeated || theirs.repeated || bothReplaced(base, ours, theirs) {
		return nil, false
	}
	merged = unite(base, ours, theirs)
	return merged, len(merged) > 0 || len(oursList) == 0 || len(theirsList) == 0
}

// bothReplaced reports whether both sides removed the same item and each added another.
func bothReplaced(base, ours, theirs items) bool {
	removed := slices.ContainsFunc(base.keys, func(key string) bool { return !ours.has(key) && !theirs.has(key) })
	return removed && adds(base, ours, theirs) && adds(base, theirs, ours)
}

// adds reports whether a side has an item that is in no other version.
func adds(base, side, other items) bool {
	return slices.ContainsFunc(side.keys, func(key string) bool { return !base.has(key) && !other.has(key) })
}

// uniteAll unites lists that are sets: it always succeeds for lists, and something is
// left of them.
func uniteAll(v versions) (united []any, ok bool) {
	oursList, okOurs := listOf(v.ours)
	theirsList, okTheirs := listOf(v.theirs)
	if !okOurs || !okTheirs {
		return nil, false
	}
	baseList, _ := v.base.([]any)
	ours, theirs := newItems(oursList), newItems(theirsList)
	united = unite(newItems(baseList), ours, theirs)
	if len(united) == 0 { // each side removed what the other one kept
		united = unite(newItems(nil), ours, theirs)
	}
	return united, true
}

// unite returns what both sides have and what either added, without what either
// removed. It has the order of ours; an item that only theirs has follows the one that
// it follows there.
func unite(base, ours, theirs items) []any {
	last, after := "", map[string][]any{} // what only theirs has, by the shared item before it
	for i, key := range theirs.keys {
		if ours.has(key) {
			last = key
		} else if !base.has(key) {
			after[last] = append(after[last], theirs.list[i])
		}
	}
	united := []any{}
	pending := after[""]
	for i, key := range ours.keys {
		if theirs.has(key) {
			united = append(united, pending...)
			pending = after[key]
		} else if base.has(key) {
			continue
		}
		united = append(united, ours.list[i])
	}
	return append(united, pending...)
}

// uniteHistories returns all entries of two histories, oldest first. An entry that both
// have is there once.
func uniteHistories(ours, theirs []any) []any {
	shared := map[string]int{}
	for _, entry := range ours {
		shared[keyOf(entry)]++
	}
	united := slices.Clone(ours)
	for _, entry := range theirs {
		if key := keyOf(entry); shared[key] > 0 {
			shared[key]--
		} else {
			united = append(united, entry)
		}
	}
	slices.SortStableFunc(united, func(a, b any) int { return dateOf(a).Compare(dateOf(b)) })
	return united
}

// dateOf returns the date of an entry of history, the zero time if it has none.
func dateOf(entry any) time.Time {
	object, _ := entry.(map[string]any)
	date, _ := object["date"].(string)
	t, _ := schemas.ParseTime(date)
	return t
}
