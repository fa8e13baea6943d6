package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cost estimates how many tokens s costs a model: a quarter of its characters, rounded
// up.
func Cost(s string) int { return CostOf(utf8.RuneCountInString(s)) }

// CostOf is Cost for a number of characters.
func CostOf(characters int) int { return (characters + 3) / 4 }

const (
	fence = "```"
	// codeMarker replaces a block of code.
	codeMarker = " [code] "
	// maxSummarised is how many code points are searched for the first sentence.
	maxSummarised = 4000
)

// Summary returns the first sentence of s on one line, of at most n code points, with
// a marker for each block of code.
func Summary(s string, n int) string {
	return OneLine(sentence(OneLine(withoutCode(Truncate(s, maxSummarised)), maxSummarised)), n)
}

// OneLine puts s on one line of at most n code points, with single spaces.
func OneLine(s string, n int) string {
	return Ellipsis(Printable(strings.Join(strings.Fields(s), " ")), n)
}

// HasCode reports whether s holds Markdown code.
func HasCode(s string) bool {
	_, rest, found := strings.Cut(s, "`")
	return found && strings.Contains(rest, "`")
}

// withoutCode replaces the blocks between fences. One that is not closed reaches to
// the end.
func withoutCode(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, fence)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(codeMarker)
		if _, s, found = strings.Cut(rest, fence); !found {
			return b.String()
		}
	}
}

// FirstSentence splits s after its first sentence, or after its first line if that ends
// before. Both parts are trimmed.
func FirstSentence(s string) (first, rest string) {
	s = strings.TrimSpace(s)
	line, _, _ := strings.Cut(s, "\n")
	first = sentence(line)
	return strings.TrimSpace(first), strings.TrimSpace(s[len(first):])
}

// CutSentence puts s on one line of at most n code points. It cuts a longer one after a
// sentence, or within one if little would be left.
func CutSentence(s string, n int) string {
	line := strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(line) <= n {
		return line
	}
	summary := ""
	for rest := line; rest != ""; {
		first, after := FirstSentence(rest)
		next := strings.TrimSpace(summary + " " + first)
		if first == "" || utf8.RuneCountInString(next) > n {
			break
		}
		summary, rest = next, after
	}
	if 3*utf8.RuneCountInString(summary) > n || n < 2 { // else it may be no more than "1."
		return summary
	}
	short := Truncate(line, n-1)
	if at := strings.LastIndexByte(short, ' '); at > len(short)/2 {
		short = short[:at]
	}
	return short + "…"
}

// Sentences splits s into sentences and lines.
func Sentences(s string) []string {
	var list []string
	for first := ""; s != ""; {
		if first, s = FirstSentence(s); first != "" {
			list = append(list, first)
		}
	}
	return list
}

// sentence cuts a line after its first sentence. A full stop before a small letter
// does not end it: "e.g. this".
func sentence(line string) string {
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return line[:end]
		case '.', '!', '?':
			rest, spaced := strings.CutPrefix(line[end:], " ")
			if next, _ := utf8.DecodeRuneInString(rest); spaced && !unicode.IsLower(next) && !isShort(line[:i]) {
				return line[:end]
			}
		}
	}
	return line
}

// isShort reports whether a text ends in a short form, whose full stop ends no sentence.
func isShort(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	return slices.Contains(shortForms, Lower(word))
}

var shortForms = strings.Fields("dr mr mrs ms prof st e.g i.e vs cf approx ca z.b d.h bzw usw")

// Halves splits a sentence at its colon, arrow or dash, or at its first comma if it
// begins with a condition: "If the queue hangs, restart it". The first half is "" if there is
// nothing to split at.
func Halves(s string) (first, rest string) {
	for _, mark := range []string{": ", "：", "，", " -> ", " → ", " — ", " – ", " - ", "; "} {
		if before, after, found := strings.Cut(s, mark); found && strings.TrimSpace(after) != "" {
			return strings.TrimSpace(before), strings.TrimSpace(after)
		}
	}
	before, after, found := strings.Cut(s, ", ")
	if word, _, _ := strings.Cut(before, " "); found && conditionWords()[Lower(word)] {
		return strings.TrimSpace(before), strings.TrimSpace(after)
	}
	return "", s
}
