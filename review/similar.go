package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/retrieve"
	"memctl/schemas"
)

// reviewSimilar reports memories of which a newer one says the same, or the opposite, by the rule by
// which a save finds that a memory is known. It shows both sides: which one is right, or whether both
// are needed, is for a person to say. Memories that know of each other do not count.
func (v *reviewer) reviewSimilar(ctx context.Context) {
	if !v.wants(Similar) {
		return
	}
	byCategory := map[schemas.Category][]*memory{}
	for _, m := range v.memories {
		byCategory[m.Category] = append(byCategory[m.Category], m)
	}
	for _, info := range schemas.Categories {
		list := byCategory[info.Category]
		slices.SortStableFunc(list, func(a, b *memory) int {
			return cmp.Or(b.updated.Compare(a.updated), strings.Compare(a.path, b.path))
		})
		titles := make([]retrieve.Headed, len(list))
		for i, m := range list {
			titles[i] = retrieve.Headed{Title: m.Title, Tags: m.Tags}
		}
		retrieve.EachSimilar(ctx, titles, func(at, before int, how retrieve.Standing, share float64) {
			older, newer := list[at], list[before]
			heading := len(older.Title) < 20 && len(strings.Fields(older.Title)) < 2 // Summary, Context
			if !knows(older, newer) && !knows(newer, older) && (!heading || older.sentence == newer.sentence) {
				v.addSimilar(older, newer, how, share)
			}
		})
	}
}

// knows reports whether a memory names another.
func knows(m, other *memory) bool {
	if slices.ContainsFunc(m.RelatedFiles, func(file string) bool { return strings.HasSuffix(file, other.path) }) {
		return true
	}
	return m.ID != other.ID && strings.Contains(other.ID, "-") && strings.Contains(m.text, other.ID) ||
		m.Title != other.Title && strings.Contains(other.Title, " ") && strings.Contains(m.text, other.Title)
}

func (v *reviewer) addSimilar(older, newer *memory, how retrieve.Standing, share float64) {
	reason := says("%q, which is newer, says the same: merge the two, or name %s in it", newer.Title, newer.ID)
	if how == retrieve.Changes {
		reason = says("%q, which is newer, says it with another number, or the opposite: merge the two, or name %s in it", newer.Title, newer.ID)
	}
	side := func(m *memory) string {
		return fmt.Sprintf("%s, %s: %s. %s", m.ID, day(m.updated), m.Title, m.sentence)
	}
	v.add(older, Finding{Kind: Similar, Weight: int(100 * share), Other: v.other(newer), Command: edit(older),
		Said:     reason,
		Evidence: []string{side(older), side(newer)}})
}
