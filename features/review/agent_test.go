package review

import (
	"fmt"
	"slices"
	"testing"
)

// In a store that is too large for one list, those that share a rare word are still read together.
func TestListsOfALargeStore(t *testing.T) {
	v := &reviewer{}
	for i := range 3 * mostTogether {
		title := fmt.Sprintf("The worker%d keeps its queue%d", i, i)
		switch i {
		case 0:
			title = "Backups of the ledger are encrypted"
		case 2*mostTogether + 1:
			title = "Nobody may encrypt the nightly copy of a ledger"
		}
		m := &memory{path: fmt.Sprintf("constraints/m-%03d.json", i), hash: fmt.Sprint(i)}
		m.ID, m.Title, m.sentence = fmt.Sprintf("m-%03d", i), title, title
		v.memories = append(v.memories, m)
	}
	lists := v.lists(t.Context())
	together, all := false, 0
	for _, l := range lists {
		if len(l.memories) > mostTogether {
			t.Errorf("a list of %d", len(l.memories))
		}
		all += len(l.memories)
		together = together || slices.Contains(l.memories, v.memories[0]) &&
			slices.Contains(l.memories, v.memories[2*mostTogether+1])
	}
	if !together || all != len(v.memories) {
		t.Errorf("%d lists of %d memories, together: %v", len(lists), all, together)
	}
}
