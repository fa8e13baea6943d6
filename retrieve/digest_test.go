package retrieve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memctl/indexer"
)

// Whatever the size of a store, its digest keeps within the tokens, what stands comes first,
// and a store that fits is given whole.
func TestDigestKeepsWithinTheTokens(t *testing.T) {
	for _, size := range []int{10, 40, 100, 600} {
		var memories []json.RawMessage
		for i := range size {
			severity := "low"
			if i%10 == 0 {
				severity = "high"
			}
			memories = append(memories, json.RawMessage(fmt.Sprintf(`{"category": "constraint", "id": "rule-%[1]d", "record_status": "active",
				"updated_at": "2026-01-02T03:04:05Z", "related_files": ["src/%[1]d/"], "content": {"rule": "The rule number %[1]d says what to do with part %[1]d of the program.", "severity": %[2]q}}`, i, severity)))
		}
		root := rootWith(t, memories)
		for _, tokens := range []int{0, 1, 100, 1500} {
			var list []Digested
			if err := indexer.Use(t.Context(), root, indexer.Quick, func(ix *indexer.Index) (err error) {
				list, err = Source{ix.DB, root}.Digest(t.Context(), DigestQuery{Tokens: tokens, Files: []string{"src/7/a.go"}, Used: []string{"constraints/rule-3.json"}})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			cost := DigestCost(list)
			if cost > tokens || len(list) < size && tokens-cost > 20 {
				t.Errorf("%d memories, %d tokens: %d memories take %d", size, tokens, len(list), cost)
			}
			tiers := make([]int, len(list))
			for i, m := range list {
				tiers[i] = m.Tier
				if tokens == 1500 && (m.ID == "rule-7" && m.Tier != 2 || m.ID == "rule-3" && m.Tier != 3) {
					t.Errorf("%s has the tier %d", m.ID, m.Tier)
				}
			}
			if !slices.IsSorted(tiers) {
				t.Errorf("%d memories, %d tokens: tiers %v", size, tokens, tiers)
			}
			block, given := DigestBlock(list, size-len(list))
			if len(given) != len(list) || (len(list) == size) != strings.Contains(block, "These are all memories.") {
				t.Errorf("%d memories, %d tokens: %s", size, tokens, block)
			}
		}
	}
}
