package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/text"
)

// Of a longer block, the client shows the model only the beginning and a file name.
func TestBlockKeepsWithinTheClientsLimit(t *testing.T) {
	var results []Result
	var descriptions []schemas.Description
	for i := range 200 {
		results = append(results, Result{Entry: Entry{Category: schemas.Decision, Title: strings.Repeat("\U0001F600", 100), Path: fmt.Sprintf("decisions/%d.json", i), Tags: Tags{strings.Repeat("\U0001F600", 400)}}})
		descriptions = append(descriptions, schemas.Description{Category: fmt.Sprint("category", i), Text: strings.Repeat("d", 100)})
	}
	block := Block(results, ".claude/memory", descriptions)
	if n := text.Units(block); n > text.MaxHookText {
		t.Errorf("%d units", n)
	}
	if !strings.Contains(block, "category0=") || !strings.Contains(block, "decisions/0.json") || !strings.HasSuffix(block, "</memory-context>\n") {
		t.Errorf("the block is cut: %.300s", block)
	}
}
