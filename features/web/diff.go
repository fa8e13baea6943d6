package web

import (
	"slices"
	"strings"

	"memctl/text"
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
	// maxTable bounds the comparison of the lines of two texts, and that of all their words: the product of the lengths
	// of the lists. What is beyond differs as a whole.
	maxTable = 1 << 20
	// nearLines is how many lines beside a change are shown.
	nearLines = 1
)

// diff compares two texts line by line, and lines that resemble each other word by word.
func diff(old, now string) []diffLine {
	before, after := textLines(old), textLines(now)
	var list []diffLine
	var gone, fresh []string
	forLines, forWords := maxTable, maxTable
	flush := func() {
		list = append(list, pairedLines(gone, fresh, &forWords)...)
		gone, fresh = nil, nil
	}
	for _, p := range compareLists(before, after, &forLines) {
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
func pairedLines(gone, fresh []string, room *int) (list []diffLine) {
	for i := range max(len(gone), len(fresh)) {
		switch {
		case i >= len(fresh):
			list = append(list, goneLine(gone[i]))
		case i >= len(gone):
			list = append(list, freshLine(fresh[i]))
		default:
			list = append(list, changedLine(gone[i], fresh[i], room)...)
		}
	}
	return list
}

func goneLine(s string) diffLine  { return diffLine{Kind: "before", Parts: []diffPart{{"del", s}}} }
func freshLine(s string) diffLine { return diffLine{Kind: "after", Parts: []diffPart{{"ins", s}}} }

// changedLine is one line with the words that differ, or two if the lines share less than a third of their words.
func changedLine(old, now string, room *int) []diffLine {
	before, after := words(old), words(now)
	parts := compareLists(before, after, room)
	same, differ := 0, false
	for _, p := range parts {
		if p.Change == "" {
			same++
		} else {
			differ = true
		}
	}
	if 3*same < max(len(before), len(after)) || !differ {
		return []diffLine{goneLine(old), freshLine(now)}
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

// foldLines leaves out lines that are the same and not beside a change: two of them or more, since a line that says so
// takes as much room as one.
func foldLines(list []diffLine) (short []diffLine) {
	differs := func(l diffLine) bool { return l.Kind != "" }
	for i, l := range list {
		last := len(short) - 1
		switch {
		case slices.ContainsFunc(list[max(0, i-nearLines):min(len(list), i+nearLines+1)], differs):
			l.Folded = 0
		case last >= 0 && short[last].Folded > 0:
			short[last].Folded++
			continue
		default:
			l.Folded = 1
		}
		short = append(short, l)
	}
	for i, l := range short {
		if l.Folded == 1 {
			short[i].Folded = 0
		} else if l.Folded > 1 {
			short[i].Parts = nil
		}
	}
	return short
}

// compareLists returns the entries of two lists in order, as few as possible of them only in one. White space at their
// ends does not matter. It takes from the room for the comparison.
func compareLists(before, after []string, room *int) (parts []diffPart) {
	add := func(change string, texts ...string) {
		for _, s := range texts {
			parts = append(parts, diffPart{change, s})
		}
	}
	a, b := trimmed(before), trimmed(after)
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	add("", after[:start]...)
	rest := after[len(b)-end:]
	before, after = before[start:len(a)-end], after[start:len(b)-end]
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	common := commonTable(a, b, room)
	if common == nil {
		add("del", before...)
		add("ins", after...)
	}
	for i, j := 0, 0; common != nil && (i < len(a) || j < len(b)); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			add("", after[j])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			add("del", before[i])
			i++
		default:
			add("ins", after[j])
			j++
		}
	}
	add("", rest...)
	return parts
}

func trimmed(list []string) []string {
	short := make([]string, len(list))
	for i, s := range list {
		short[i] = strings.TrimSpace(s)
	}
	return short
}

// commonTable has, for each place in two lists, how many entries what follows has in common in the same order. It is
// nil if there is no room for it.
func commonTable(a, b []string, room *int) [][]int {
	cells := (len(a) + 1) * (len(b) + 1)
	if cells > *room {
		return nil
	}
	*room -= cells
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table
}

// wordsAndSpace matches a word with the white space that follows it.
var wordsAndSpace = text.Pattern(`^\s+|\S+\s*`)

func words(s string) []string { return wordsAndSpace().FindAllString(s, -1) }
