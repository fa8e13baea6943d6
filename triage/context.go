package triage

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"memctl/schemas"
)

const (
	contextLines = 10 // before and after a match
	// maxContext is the size of a context file in bytes, without the marker that says
	// it was cut.
	maxContext = 50_000
	cutMarker  = "\n</transcript_data>\n[Truncated: context exceeded 50KB]"
)

// Context returns what the agent that drafts the memory reads, in at most maxContext
// bytes and a marker. It quotes the transcript as it is.
func (t *Transcript) Context(r Result, description string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Category: %s\nScore: %.2f\n", r.Category, r.Score)
	if description != "" {
		fmt.Fprintf(&b, "Description: %s\n", sanitize(description))
	}
	if len(r.Fixed) > 0 {
		b.WriteString("Failed, then worked in this session:\n")
		for _, line := range r.Fixed {
			fmt.Fprintf(&b, "  - %s\n", sanitize(line))
		}
	}
	b.WriteString("\n<transcript_data>\n")
	if r.Category == schemas.SessionSummary {
		fmt.Fprintf(&b, "Activity Metrics:\n  Tool uses: %d\n  Distinct tools: %d\n  Exchanges: %d\n",
			t.ToolUses, t.DistinctTools, t.Exchanges)
	} else if len(r.Matches) > 0 {
		b.WriteString("Relevant transcript excerpts:\n\n")
		t.writeExcerpts(&b, r.Matches)
	}
	b.WriteString("</transcript_data>")
	if snippets := t.Snippets(r); len(snippets) > 0 {
		b.WriteString("\n\nKey snippets:\n  - " + escapeEnd(strings.Join(snippets, "\n  - ")))
	}
	if b.Len() <= maxContext {
		return b.String()
	}
	end := maxContext
	for !utf8.RuneStart(b.String()[end]) {
		end--
	}
	return b.String()[:end] + cutMarker
}

// writeExcerpts writes the lines around the matches, each line once.
func (t *Transcript) writeExcerpts(b *strings.Builder, matches []Match) {
	next := 0 // the first line that is not written yet
	for i, m := range matches {
		start, end := max(next, m.Line-1-contextLines), min(len(t.lines), m.Line+contextLines)
		if i > 0 && start > next {
			b.WriteString("---\n")
		}
		for _, line := range t.lines[start:max(start, end)] {
			b.WriteString(escapeEnd(line))
			b.WriteByte('\n')
		}
		next = end
		if b.Len() > maxContext {
			return
		}
	}
}

// escapeEnd keeps quoted text from ending the block that it stands in.
func escapeEnd(s string) string {
	return strings.ReplaceAll(s, "</transcript_data", "&lt;/transcript_data")
}
