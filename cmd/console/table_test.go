package console

import (
	"bytes"
	"strings"
	"testing"
)

func TestTableFitsTheTerminal(t *testing.T) {
	cells := []string{"", "kafka-message-size", strings.Repeat("긴 제목 ", 30), strings.Repeat("👩‍💻🇰🇷❤️", 30), strings.Repeat("long-id-", 10)}
	columns := []Column{{Head: "ID", Cut: true}, {Head: "CATEGORY", Optional: true}, {Head: "UPDATED", Optional: true}, {Head: "STATUS"}, {Head: "TITLE", Cut: true}}
	for width := 20; width < 200; width++ {
		tb := Table{Columns: columns}
		for _, id := range cells {
			for _, title := range cells {
				tb.Rows = append(tb.Rows, []string{id, "session_summary", "2026-01-01", "retired", title})
			}
		}
		var out bytes.Buffer
		tb.Print(NewScreen(&out, width, true))
		if lines := strings.Count(out.String(), "\n"); lines != len(tb.Rows)+1 {
			t.Fatalf("%d columns: %d lines for %d rows", width, lines, len(tb.Rows))
		}
		for line := range strings.Lines(out.String()) {
			if w := unstyled.String(line); w > width {
				t.Fatalf("%d columns: %q takes %d", width, line, w)
			}
		}
	}
}

func TestLinesOnCountsWrappedLines(t *testing.T) {
	for text, want := range map[string]int{
		"":                            0,
		"\n\n":                        2,
		"0123456789\n":                1,
		"01234567890\n":               2,
		"긴글긴글긴\n":                     1,
		"긴글긴글긴글\n":                    2,
		"\x1b[1m0123456789\x1b[0m\nb": 2,
	} {
		if got := LinesOn(10, text); got != want {
			t.Errorf("%q takes %d lines, want %d", text, got, want)
		}
	}
}
