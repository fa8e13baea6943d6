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

func TestLongLinesAreBrokenBetweenWords(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"short enough\n", "short enough\n"},
		{"one two three four five six\n", "one two three four\nfive six\n"},
		{"  one two three four five\n", "  one two three four\n  five\n"},
		{"failed  one two three four\n", "failed  one two three\n        four\n"},
		{"a very long id  one two three\n", "a very long id  one\ntwo three\n"},
		{"가나다 라마바 사아자 차카타\n", "가나다 라마바 사아자\n차카타\n"},
		{"run " + Mark(Faint, "memctl retire kafka --reason old") + " now\n", "run memctl retire kafka --reason old\nnow\n"},
		{"see " + Mark(Bold, "a long title of a memory") + "\n", "see a long title of a\nmemory\n"},
		{"averyveryverylongwordwithoutend and more\n", "averyveryverylongwordwithoutend\nand more\n"},
	} {
		var out bytes.Buffer
		NewScreen(&out, 21, false).PrintMarked(tt.line)
		if out.String() != tt.want {
			t.Errorf("%q is broken as\n%s\nwant\n%s", tt.line, &out, tt.want)
		}
	}
}

func TestCellsAreCutBetweenWords(t *testing.T) {
	for _, tt := range []struct{ cell, want string }{
		{"kafka refuses", "kafka refuses"},
		{"kafka refuses large messages", "kafka refuses…"},
		{"kafka-message-size-limit", "kafka-message-s…"},
		{"unbroken12345678901234567890", "unbroken1234567…"},
		{"카프카는 큰 메시지를 거부한다", "카프카는 큰…"},
	} {
		if got := cutTo(tt.cell, 16); got != tt.want {
			t.Errorf("%q is cut to %q, want %q", tt.cell, got, tt.want)
		}
	}
}
