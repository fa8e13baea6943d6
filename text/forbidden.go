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

// clauseEnds end a clause; a dash or a full stop does with a space. An empty one stands where a statement ends.
var clauseEnds = strings.NewReplacer(",", "\n", ";", "\n\n", ":", "\n\n", "(", "\n", ")", "\n", " - ", "\n",
	" – ", "\n", " — ", "\n", "—", "\n", "→", "\n", ". ", "\n\n", ".** ", "\n\n", "，", "\n", "、", "\n", "；", "\n\n",
	"。", "\n\n", "：", "\n\n")

// Coded is the code between backquotes in a text, each on one line, by what the text says of it.
type Coded struct {
	Forbidden []string // by a word such as "never" or "instead of"
	Limited   []string // of Forbidden: the sentence may go on with where or when
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

// Always is the forbidden code that is not limited.
func (c Coded) Always() []string {
	isLimited := func(code string) bool { return slices.Contains(c.Limited, code) }
	return slices.DeleteFunc(slices.Clone(c.Forbidden), isLimited)
}

// Code returns the code in a text. What is forbidden or wanted is so by a word in its clause; a clause of nothing but
// code goes on with the one before.
func Code(s string) (c Coded) {
	bare, code := cutCode(s)
	if len(code) == 0 {
		return c
	}
	last, since := &c.Other, 0 // how much was forbidden when the statement began
	for clause := range strings.SplitSeq(clauseEnds.Replace(bare), "\n") {
		n, words := strings.Count(clause, "`"), plainClause(clause)
		if clause == "" {
			since = len(c.Forbidden)
			continue
		}
		all := forbidding()
		if !isAlternative(words) && (all["end"].begins(words) || all["limit"].begins(words)) {
			c.Limited = append(c.Limited, c.Forbidden[since:]...)
		}
		if n == 0 {
			last = &c.Other
			continue
		}
		from, to, isLimited := forbiddenRange(words, n)
		wanted, goesOn := from == to && last == &c.Wanted && isList(words), last == &c.Forbidden
		if goesOn && isList(words) {
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
		before, behind := words[:strings.Index(words, "`")], words[strings.LastIndex(words, "`")+1:]
		isLimited = isLimited || goesOn && last == &c.Other && isList(before) && mayLimit(behind)
		if code = code[n:]; isLimited {
			c.Limited = append(c.Limited, c.Forbidden[since:]...)
		}
	}
	return c
}

// isAlternative reports whether a clause, or the rest of one, says at its beginning what to do instead.
func isAlternative(words string) bool {
	return strings.Contains(words, "`") && (forbidding()["with"].begins(words) || forbidding()["use"].begins(words))
}

// mayLimit reports whether the words behind a prohibition may say where or when it holds: one is a function word, or
// they are more than two. "In this project" is everywhere, and what an agent runs is run "by hand".
func mayLimit(words string) bool {
	n, everywhere := 0, forbidding()["everywhere"]
	for strings.TrimSpace(words) != "" {
		if everywhere.begins(words) {
			words = everywhere.behind(words)
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimPrefix(words, " "), " ")
		if words = " " + rest; isList(word) {
			continue
		}
		if n++; n > 2 || isFunctionWord(word) || languagesWith(word) != "" {
			return true
		}
	}
	return false
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

// forbiddenRange returns which of the n pieces of code in a clause are forbidden, from one to before another, and
// whether the clause may limit that.
func forbiddenRange(words string, n int) (from, to int, isLimited bool) {
	kinds, parts := forbidding(), strings.SplitAfter(words, "`")
	if at := kinds["after"].in(words); at >= 0 {
		from, to = strings.Count(words[:at], "`"), n
		end := kinds["end"].in(words[at:])
		if end >= 0 {
			to = strings.Count(words[:at+end], "`")
		}
		if from < to || end >= 0 {
			between, behind := strings.Join(parts[min(from+1, to):to], ""), strings.Join(parts[to:], "")
			return from, to, mayLimit(between) || !isAlternative(behind) && (end >= 0 || mayLimit(behind))
		}
	}
	for _, kind := range []string{"before", "around"} {
		if at := kinds[kind].in(words); at >= 0 {
			if to = strings.Count(words[:at+1], "`"); to > 0 {
				return to - 1, to, mayLimit(kinds[kind].behind(words[at:]))
			}
		}
	}
	return 0, 0, false
}

// behind returns what stands behind the longest piece that some words begin with, "" for none of Latin letters.
func (p *pieces) behind(words string) (rest string) {
	word, _, _ := strings.Cut(strings.TrimPrefix(words, " "), " ")
	longest := 0
	for _, piece := range p.byWord[word] {
		if strings.HasPrefix(words, piece) && len(piece) > longest {
			longest, rest = len(piece), words[len(piece)-1:]
		}
	}
	return rest
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
