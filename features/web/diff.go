package web

import (
	"strings"
	"unicode"
)

// diffLine is a line of a comparison: one of the old text, of the new one, or of both with the words that differ.
type diffLine struct {
	Kind   string // "before" or "after" for a line of one text, "changed", or "" for one that is the same
	Parts  []diffPart
	Folded int // so many lines are the same and left out; then there are no parts
}

// diffPart is a piece of a line: of both texts, or only of the old one ("del") or of the new one ("ins").
type diffPart struct{ Change, Text string }

const (
	// maxTable bounds the comparison of two lists: the product of their lengths. What is beyond differs as a whole.
	maxTable = 1 << 20
	// nearLines is how many lines beside a change are shown.
	nearLines = 1
)

// diff compares two texts line by line, and lines that resemble each other word by word.
func diff(old, now string) []diffLine {
	before, after := textLines(old), textLines(now)
	var list []diffLine
	var gone, fresh []string
	flush := func() {
		list = append(list, pairedLines(gone, fresh)...)
		gone, fresh = nil, nil
	}
	for _, p := range compareLists(before, after) {
		switch p.Change {
		case "del":
			gone = append(gone, p.Text)
		case "ins":
			fresh = append(fresh, p.Text)
		default:
			flush()
			list = append(list, diffLine{Parts: []diffPart{p}})
		}
	}
	flush()
	return foldLines(list)
}

func textLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// pairedLines compares lines that took the place of others, in their order.
func pairedLines(gone, fresh []string) (list []diffLine) {
	for i := range max(len(gone), len(fresh)) {
		switch {
		case i >= len(fresh):
			list = append(list, diffLine{"before", []diffPart{{"del", gone[i]}}, 0})
		case i >= len(gone):
			list = append(list, diffLine{"after", []diffPart{{"ins", fresh[i]}}, 0})
		default:
			list = append(list, changedLine(gone[i], fresh[i])...)
		}
	}
	return list
}

// changedLine is one line with the words that differ, or two if the lines share less than a third of their words.
func changedLine(old, now string) []diffLine {
	before, after := words(old), words(now)
	parts := compareLists(before, after)
	same, differ := 0, false
	for _, p := range parts {
		if p.Change == "" {
			same++
		} else {
			differ = true
		}
	}
	if 3*same < max(len(before), len(after)) || !differ {
		return []diffLine{{"before", []diffPart{{"del", old}}, 0}, {"after", []diffPart{{"ins", now}}, 0}}
	}
	return []diffLine{{"changed", joined(parts), 0}}
}

// joined puts together what follows each other with the same change.
func joined(parts []diffPart) (list []diffPart) {
	for _, p := range parts {
		if last := len(list) - 1; last >= 0 && list[last].Change == p.Change {
			list[last].Text += p.Text
			continue
		}
		list = append(list, p)
	}
	return list
}

// foldLines leaves out lines that are the same and not beside a change.
func foldLines(list []diffLine) (short []diffLine) {
	for i := 0; i < len(list); {
		end := i
		for end < len(list) && list[end].Kind == "" {
			end++
		}
		from, to := i+nearLines, end-nearLines
		if i == 0 {
			from = 0
		}
		if end == len(list) {
			to = end
		}
		if to-from < 2 { // a line that says so takes as much room
			from, to = end, end
		}
		short = append(short, list[i:from]...)
		if to > from {
			short = append(short, diffLine{Folded: to - from})
			short = append(short, list[to:end]...)
		}
		if i = end; i < len(list) {
			short = append(short, list[i])
			i++
		}
	}
	return short
}

// compareLists returns the entries of two lists in order, as few as possible of them only in one. White space at their
// ends does not matter.
func compareLists(before, after []string) (parts []diffPart) {
	alike := func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
	start := 0
	for start < min(len(before), len(after)) && alike(before[start], after[start]) {
		parts = append(parts, diffPart{"", after[start]})
		start++
	}
	a, b := before[start:], after[start:]
	end := 0
	for end < min(len(a), len(b)) && alike(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	rest := b[len(b)-end:]
	a, b = a[:len(a)-end], b[:len(b)-end]
	common := commonTable(a, b, alike)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case common != nil && i < len(a) && j < len(b) && alike(a[i], b[j]):
			parts = append(parts, diffPart{"", b[j]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[i+1][j] >= common[i][j+1]):
			parts = append(parts, diffPart{"del", a[i]})
			i++
		default:
			parts = append(parts, diffPart{"ins", b[j]})
			j++
		}
	}
	for _, s := range rest {
		parts = append(parts, diffPart{"", s})
	}
	return parts
}

// commonTable has, for each place in two lists, how many entries what follows has in common in the same order. It is
// nil if the lists are too long.
func commonTable(a, b []string, alike func(a, b string) bool) [][]int {
	if (len(a)+1)*(len(b)+1) > maxTable {
		return nil
	}
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if alike(a[i], b[j]) {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table
}

// words splits a text after each run of white space.
func words(s string) []string {
	var list []string
	start, space := 0, false
	for i, r := range s {
		if space && !unicode.IsSpace(r) {
			list = append(list, s[start:i])
			start = i
		}
		space = unicode.IsSpace(r)
	}
	return append(list, s[start:])
}
