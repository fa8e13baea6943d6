package triage

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	around = 10 // lines of context before and after a match
	// maxContext is the size in bytes of a context file without the marker that
	// says it was cut.
	maxContext = 50_000
	cutMarker  = "\n</transcript_data>\n[Truncated: context exceeded 50KB]"
)

// Context is what whoever drafts the memory is given to read, in at most
// maxContext bytes and a marker. The transcript stands in it as it is.
func (t *Transcript) Context(r Result, description string) string {
	var b strings.Builder
	b.Grow(maxContext) // what stays unused of it costs nothing; growing would
	fmt.Fprintf(&b, "Category: %s\nScore: %.2f\n", r.Category, r.Score)
	if description != "" {
		fmt.Fprintf(&b, "Description: %s\n", Shown(description))
	}
	if len(r.Fixed) > 0 {
		b.WriteString("Failed, then worked in this session:\n")
		for _, line := range r.Fixed {
			fmt.Fprintf(&b, "  - %s\n", Shown(line))
		}
	}
	b.WriteString("\n<transcript_data>\n")
	if r.activity != nil {
		fmt.Fprintf(&b, "Activity Metrics:\n  Tool uses: %d\n  Distinct tools: %d\n  Exchanges: %d\n", t.ToolUses, t.DistinctTools, t.Exchanges)
	} else if len(r.Matches) > 0 {
		b.WriteString("Relevant transcript excerpts:\n\n")
		t.writeExcerpts(&b, r.Matches)
	}
	b.WriteString("</transcript_data>")
	if snippets := t.Snippets(r); len(snippets) > 0 {
		b.WriteString("\n\nKey snippets:\n  - " + keptInside(strings.Join(snippets, "\n  - ")))
	}
	if b.Len() <= maxContext {
		return b.String()
	}
	return cutRune(b.String()[:maxContext]) + cutMarker
}

// writeExcerpts writes the lines around the matches. Where they lie close
// together their lines stand once.
func (t *Transcript) writeExcerpts(b *strings.Builder, matches []Match) {
	next := 0 // the first line that is not written yet
	for i, m := range matches {
		start, end := max(next, m.Line-around), min(len(t.lines), m.Line+around+1)
		if i > 0 && start > next {
			b.WriteString("---\n")
		}
		for _, line := range t.lines[start:max(start, end)] {
			b.WriteString(keptInside(line))
			b.WriteByte('\n')
		}
		next = end
		if b.Len() > maxContext {
			return
		}
	}
}

// keptInside keeps text from ending the block that it stands in.
func keptInside(s string) string {
	return strings.ReplaceAll(s, "</transcript_data", "&lt;/transcript_data")
}

// cutRune drops the first bytes of a rune that has lost its others.
func cutRune(s string) string {
	for at := max(0, len(s)-utf8.UTFMax); at < len(s); at++ {
		if utf8.RuneStart(s[at]) && !utf8.FullRuneInString(s[at:]) {
			return s[:at]
		}
	}
	return s
}
