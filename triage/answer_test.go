package triage

import (
	"strings"
	"testing"

	"memctl/schemas"
	"memctl/text"
)

func longItem(category schemas.Category) Proposal {
	snippet := strings.Repeat("\U0001F600<`\n", 500)
	return Proposal{
		CategoryScore: CategoryScore{Category: category, Score: 0.5},
		Description:   strings.Repeat("<", 2000),
		Snippets:      []string{snippet, snippet, snippet, snippet, snippet},
		ContextFile:   "/tmp/memctl-1000/0123456789ab/triage-" + string(category) + ".txt",
	}
}

// The client shows the person the whole question.
func TestAskIsShort(t *testing.T) {
	var items []Proposal
	for _, info := range schemas.Categories {
		items = append(items, longItem(info.Category))
		for _, data := range []string{"triage-s-data.json", ""} {
			ask := Ask(items, SaveTool, data, len(items)%2 == 0)
			if n := strings.Count(ask, "\n"); n > maxAsk || n < min(len(items)+2, maxAsk-1) {
				t.Errorf("%d categories, data %q: %d lines:\n%s", len(items), data, n, ask)
			}
			for line := range strings.Lines(ask) {
				if n := text.Units(line); n > 600 {
					t.Errorf("%d units: %s", n, line)
				}
			}
			for _, item := range items {
				if !strings.Contains(ask, "\n- ["+item.Category.Display()+"] (") {
					t.Errorf("%s is missing:\n%s", item.Category, ask)
				}
			}
			if !strings.Contains(ask, "mcp__memctl__save") || strings.Contains(ask, "memctl stage show "+
				data) != (data != "") {
				t.Errorf("it does not say how:\n%s", ask)
			}
		}
	}
}

func TestAskSharesItsLines(t *testing.T) {
	decision, runbook := longItem(schemas.Decision), longItem(schemas.Runbook)
	decision.Snippets = []string{"chose a", "chose b"}
	runbook.Snippets = []string{"failed a", "failed b", "failed c", "failed d", "failed e", "failed f"}
	ask := Ask([]Proposal{decision, runbook}, SaveTool, "triage-s-data.json", false)
	var shown []string
	for line := range strings.Lines(ask) {
		if find, ok := strings.CutPrefix(line, "  also: "); ok {
			shown = append(shown, strings.TrimSpace(find))
		}
	}
	if got := strings.Join(shown, ", "); got != "chose b, failed b, failed c, failed d" {
		t.Errorf("%s\n%s", got, ask)
	}
}

func TestSummary(t *testing.T) {
	items := []Proposal{longItem(schemas.Decision), longItem(schemas.TechDebt), longItem(schemas.SessionSummary)}
	if got := Summary(items); got != "asks to save 1 decision, 1 tech debt, 1 session summary" {
		t.Error(got)
	}
}

func TestDataHasTheContextFiles(t *testing.T) {
	item := longItem(schemas.Decision)
	data := Data([]Proposal{item}, schemas.DefaultConfig().Triage.Parallel)
	if !strings.Contains(data, `"context_file": "`+item.ContextFile+`"`) || !strings.Contains(data, `"score": 0.5000`) {
		t.Error(data)
	}
	if !strings.Contains(data, strings.Repeat(`\u003c`, maxDescription)+`"`) {
		t.Errorf("the description is not cut: %s", data)
	}
}
