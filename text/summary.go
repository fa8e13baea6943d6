package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cost estimates how many tokens of a model s takes: a quarter of its characters,
// rounded up.
func Cost(s string) int { return CostOf(utf8.RuneCountInString(s)) }

// CostOf is Cost for a number of characters.
func CostOf(characters int) int { return (characters + 3) / 4 }

const (
	fence = "```"
	// coded stands where a block of code was.
	coded = " [code] "
	// maxSummarised bounds, in code points, what is looked at for a first sentence.
	maxSummarised = 4000
)

// Summary is the first sentence of s on one line, of at most n code points. Blocks
// of code are shortened to a word.
func Summary(s string, n int) string {
	return OneLine(sentence(OneLine(withoutCode(Truncate(s, maxSummarised)), maxSummarised)), n)
}

// OneLine puts s on one line of at most n code points, white space made single.
func OneLine(s string, n int) string {
	return Ellipsis(Printable(strings.Join(strings.Fields(s), " ")), n)
}

// HasCode tells whether s holds code as Markdown marks it.
func HasCode(s string) bool {
	_, rest, found := strings.Cut(s, "`")
	return found && strings.Contains(rest, "`")
}

// withoutCode shortens blocks between fences; one that is not closed goes on to
// the end.
func withoutCode(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, fence)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(coded)
		if _, s, found = strings.Cut(rest, fence); !found {
			return b.String()
		}
	}
}

// sentence cuts a line after its first sentence. A full stop before a small letter
// ends none: "e.g. this".
func sentence(line string) string {
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return line[:end]
		case '.', '!', '?':
			rest, spaced := strings.CutPrefix(line[end:], " ")
			if next, _ := utf8.DecodeRuneInString(rest); spaced && !unicode.IsLower(next) {
				return line[:end]
			}
		}
	}
	return line
}
