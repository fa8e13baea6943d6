package web

import (
	"fmt"
	"strings"
	"testing"
)

// drawn writes a comparison: -gone-, +new+, a line for each line.
func drawn(list []diffLine) string {
	lines := make([]string, len(list))
	for i, l := range list {
		for _, p := range l.Parts {
			sign := map[string]string{"del": "-", "ins": "+"}[p.Change]
			lines[i] += sign + p.Text + sign
		}
		if l.Folded > 0 {
			lines[i] = fmt.Sprintf("(%d)", l.Folded)
		}
	}
	return strings.Join(lines, "\n")
}

func TestDiff(t *testing.T) {
	for name, tt := range map[string]struct{ old, now, want string }{
		"nothing":     {"", "", ""},
		"same":        {"a b", "a b", "a b"},
		"a word":      {"keys live 90 days", "keys live 60 days", "keys live -90 -+60 +days"},
		"added":       {"", "new text", "+new text+"},
		"removed":     {"old", "", "-old-"},
		"at the end":  {"a b", "a b c", "a b +c+"},
		"overlapping": {"a a", "a a a", "a a +a+"},
		"two places":  {"one two three four five", "one 2 three four 5", "one -two -+2 +three four -five-+5+"},
		"another text": {"never on a Friday", "retry with backoff", "-never on a Friday-\n+retry with " +
			"backoff+"},
		"a line between": {"one\ntwo", "one\nand\ntwo", "one\n+and+\ntwo"},
		"a line less":    {"one\nand\ntwo", "one\ntwo", "one\n-and-\ntwo"},
		"a word of a line": {"one\ntwo of them\nthree", "one\nfew of them\nthree", "one\n-two -+few +of " +
			"them\nthree"},
		"far lines are folded": {"1\n2\n3\n4\nend", "1\n2\n3\n4\nstop", "(3)\n4\n-end-\n+stop+"},
		"lines between":        {"a\n1\n2\n3\n4\nb", "x\n1\n2\n3\n4\ny", "-a-\n+x+\n1\n(2)\n4\n-b-\n+y+"},
		"one line stays":       {"a\n1\n2\n3\nb", "x\n1\n2\n3\ny", "-a-\n+x+\n1\n2\n3\n-b-\n+y+"},
		"Korean":               {"키는 90일 동안 쓴다", "키는 60일 동안 쓴다", "키는 -90일 -+60일 +동안 쓴다"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := drawn(diff(tt.old, tt.now)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	wide := strings.Repeat("a b ", 400)
	room := maxTable
	if first := changedLine(wide+"c", "d "+wide, &room); len(first) != 1 || room >= maxTable {
		t.Errorf("%d lines, room for %d", len(first), room)
	}
	if second := changedLine(wide+"c", "d "+wide, &room); len(second) != 2 {
		t.Errorf("%d lines where there is no room", len(second))
	}
	long := strings.Repeat("a\n", 2000)
	if list := diff("x\n"+long+"x", "y\n"+strings.Repeat("b\n", 2000)+"y"); len(list) < 2000 {
		t.Errorf("%d lines of a long text", len(list))
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a b\nc", "a\nc d")
	f.Fuzz(func(t *testing.T, old, now string) {
		var before, after []string
		room := maxTable
		for _, p := range compareLists(words(old), words(now), &room) {
			if p.Change != "ins" {
				before = append(before, strings.TrimSpace(p.Text))
			}
			if p.Change != "del" {
				after = append(after, p.Text)
			}
		}
		if got := strings.Join(after, ""); got != now {
			t.Errorf("the new side is %q, want %q", got, now)
		}
		var want []string
		for _, word := range words(old) {
			want = append(want, strings.TrimSpace(word))
		}
		if fmt.Sprint(before) != fmt.Sprint(want) {
			t.Errorf("the old side is %q, want %q", before, want)
		}
	})
}
