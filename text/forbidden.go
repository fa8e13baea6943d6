package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// pieces are those of a file of words, of one kind: of Latin letters by their first word, with a space around each
// word, and the others.
type pieces struct {
	byWord map[string][]string
	others []string
}

var forbidding = sync.OnceValue(func() map[string]*pieces {
	kinds := map[string]*pieces{}
	for line := range DataLines(wordFile("forbidding")) {
		kind, piece, _ := strings.Cut(line, " ")
		if kinds[kind] == nil {
			kinds[kind] = &pieces{byWord: map[string][]string{}}
		}
		kinds[kind].add(piece, plainClause(piece))
	}
	return kinds
})

// add adds a piece of a file; words are those of it, with a space around each.
func (p *pieces) add(piece, words string) {
	if first, _ := utf8.DecodeRuneInString(piece); !unicode.Is(unicode.Latin, first) {
		p.others = append(p.others, piece)
		return
	}
	first := strings.Fields(words)[0]
	p.byWord[first] = append(p.byWord[first], words)
}

// plainClause returns the words of a clause in lower case, a space around each; ` stands for code.
func plainClause(s string) string {
	return " " + strings.Join(strings.FieldsFunc(Lower(s), func(r rune) bool {
		return r != '`' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ") + " "
}

// clauseEnds end a clause; a dash or a full stop does with a space.
var clauseEnds = strings.NewReplacer(",", "\n", ";", "\n", ":", "\n", "(", "\n", ")", "\n", " - ", "\n", " – ", "\n",
	" — ", "\n", "—", "\n", "→", "\n", ". ", "\n", "，", "\n", "、", "\n", "；", "\n", "。", "\n", "：", "\n")

// Coded is the code between backquotes in a text, each on one line, by what the text says of it.
type Coded struct {
	Forbidden []string // by a word such as "never" or "instead of"
	Wanted    []string // by a word such as "use" or "only with"
	Run       []string // right after "run", which is wanted too, or a step
	Other     []string
}

// About returns the code that a text with the code is about: what it forbids, else what it does not want either.
func (c Coded) About() []string {
	if len(c.Forbidden) > 0 {
		return c.Forbidden
	}
	return c.Other
}

// Code returns the code in a text. What is forbidden or wanted is so by a word in its clause; a clause of nothing but
// code goes on with the one before.
func Code(s string) (c Coded) {
	bare, code := cutCode(s)
	if len(code) == 0 {
		return c
	}
	last := &c.Other
	for clause := range strings.SplitSeq(clauseEnds.Replace(bare), "\n") {
		n := strings.Count(clause, "`")
		if n == 0 {
			last = &c.Other
			continue
		}
		words := plainClause(clause)
		from, to := forbiddenRange(words, n)
		wanted := from == to && last == &c.Wanted && isList(words)
		if last == &c.Forbidden && isList(words) {
			from, to = 0, n
		}
		for i, piece := range code[:n] {
			switch {
			case i >= from && i < to:
				last = &c.Forbidden
			case wanted || isWanted(words, i, "use", "with", "used"):
				last = &c.Wanted
			case isWanted(words, i, "run"):
				last = &c.Run
			default:
				last = &c.Other
			}
			*last = append(*last, piece)
			if parts := strings.SplitAfter(words, "`"); forbidding()["bare"].begins(parts[i+1]) {
				c.Wanted = append(c.Wanted, piece+" <x>") // with an argument
			}
		}
		code = code[n:]
	}
	return c
}

// ComesBefore reports whether a sentence begins with an act at which something is to be done: before a command, when a
// file changes.
func ComesBefore(sentence string) bool {
	return forbidding()["first"].begins(plainClause(sentence))
}

// isWanted reports whether the code at a place in a clause is wanted by pieces of some kinds: before it, or right after
// it. A limit after it, as in "only on Linux", makes a rule of what is wanted.
func isWanted(words string, at int, kinds ...string) bool {
	parts, all := strings.SplitAfter(words, "`"), forbidding()
	before, after := strings.TrimSuffix(strings.Join(parts[:at+1], ""), "`"), parts[at+1]
	return !all["limit"].begins(after) && slices.ContainsFunc(kinds, func(kind string) bool {
		switch kind {
		case "use":
			return all[kind].in(before) >= 0
		case "used":
			return all[kind].begins(after)
		}
		return all[kind].end(before)
	})
}

// begins reports whether a part of a clause begins with one of the pieces.
func (p *pieces) begins(words string) bool {
	word, _, _ := strings.Cut(strings.TrimPrefix(words, " "), " ")
	return slices.ContainsFunc(p.byWord[word], func(piece string) bool { return strings.HasPrefix(words, piece) }) ||
		slices.ContainsFunc(p.others, func(piece string) bool {
			return strings.HasPrefix(strings.TrimPrefix(words, " "), piece)
		})
}

// end reports whether a part of a clause ends in one of the pieces.
func (p *pieces) end(words string) bool {
	for _, list := range p.byWord {
		if slices.ContainsFunc(list, func(piece string) bool { return strings.HasSuffix(words, piece) }) {
			return true
		}
	}
	return slices.ContainsFunc(p.others, func(piece string) bool {
		return strings.HasSuffix(strings.TrimSuffix(words, " "), piece)
	})
}

// forcePush matches the one command that most people write without backquotes.
var forcePush = Pattern(`(?i)\bforce[- ]?push(?:e[sd]|ing)?\b(?: (?:to|on|auf|nach) (main|master|develop|trunk)\b)?`)

// cutCode puts ` in place of the code in a text, with a space around it.
func cutCode(s string) (bare string, code []string) {
	var b strings.Builder
	forced := strings.Contains(strings.ToLower(s), "force") // a hundredth of what the expression costs
	prose := func(s string) {
		for {
			var at []int
			if forced {
				at = forcePush().FindStringSubmatchIndex(s)
			}
			if at == nil {
				b.WriteString(s)
				return
			}
			b.WriteString(s[:at[0]] + " ` ")
			if code = append(code, "git push --force"); at[2] > 0 {
				code[len(code)-1] += " <remote> " + s[at[2]:at[3]]
			}
			s = s[at[1]:]
		}
	}
	for {
		before, rest, found := strings.Cut(s, "`")
		inside, after, closed := strings.Cut(rest, "`")
		prose(before)
		if !found || !closed {
			return b.String() + rest, code
		}
		if c := strings.Join(strings.Fields(inside), " "); c != "" {
			code = append(code, c)
			b.WriteString(" ` ")
		}
		s = after
	}
}

// forbiddenRange returns which of the n pieces of code in a clause are forbidden, from one to before another.
func forbiddenRange(words string, n int) (from, to int) {
	kinds := forbidding()
	if at := kinds["after"].in(words); at >= 0 {
		from, to = strings.Count(words[:at], "`"), n
		end := kinds["end"].in(words[at:])
		if end >= 0 {
			to = strings.Count(words[:at+end], "`")
		}
		if from < to || end >= 0 {
			return from, to
		}
	}
	for _, kind := range []string{"before", "around"} {
		if at := kinds[kind].in(words); at >= 0 {
			if to = strings.Count(words[:at+1], "`"); to > 0 {
				return to - 1, to
			}
		}
	}
	return 0, 0
}

// in returns where the first of the pieces stands in a clause, -1 for nowhere.
func (p *pieces) in(words string) int {
	first := -1
	for at := 0; at < len(words)-1 && first < 0; {
		word, _, _ := strings.Cut(words[at+1:], " ")
		if slices.ContainsFunc(p.byWord[word], func(piece string) bool {
			return strings.HasPrefix(words[at:], piece)
		}) {
			first = at
		}
		at += 1 + len(word)
	}
	for _, piece := range p.others {
		if at := strings.Index(words, piece); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// isList reports whether a clause has nothing but code and words that join it.
func isList(words string) bool {
	for word := range strings.FieldsSeq(words) {
		switch word {
		case "`", "or", "and", "nor", "oder", "und", "o", "y", "ni", "ou", "et", "e", "또는", "및", "或", "和", "や", "か":
		default:
			return false
		}
	}
	return true
}
