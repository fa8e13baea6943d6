package retrieve

import (
	"context"

	"memctl/text"
)

// SmartBlock renders the smart form as the context that a prompt receives: of what
// was ranked, for a prompt asks nothing of observations. What came from files is
// made safe to stand in it; where that makes it longer than the client takes, the
// budget is halved.
func (s Source) SmartBlock(ctx context.Context, q Query, results []Result) (string, error) {
	rows, err := s.Memories(ctx, q, results)
	if err != nil {
		return "", err
	}
	for budget := DefaultBudget; ; budget /= 2 {
		d, err := s.Disclose(ctx, rows, budget)
		if err != nil {
			return "", err
		}
		block := `<memory-context source="` + text.EscapeXML(text.Printable(s.Root.Shown)) + "/\">\n" +
			text.EscapeXML(text.Paragraph(d.Text)) + "</memory-context>\n"
		if text.Units(block) <= text.MaxHookText || budget/2 < MinBudget {
			return block, nil
		}
	}
}
