package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// pieces are those of words/forbidding.txt of one kind: of Latin letters by their first word, with a space around each
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
		if first, _ := utf8.DecodeRuneInString(piece); unicode.Is(unicode.Latin, first) {
			word := strings.Fields(plainClause(piece))[0]
			kinds[kind].byWord[word] = append(kinds[kind].byWord[word], plainClause(piece))
		} else {
			kinds[kind].others = append(kinds[kind].others, piece)
		}
	}
	return kinds
})

// plainClause returns the words of a clause in lower case, a space around each; ` stands for code.
func plainClause(s string) string {
	return " " + strings.Join(strings.FieldsFunc(Lower(s), func(r rune) bool {
		return r != '`' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ") + " "
}

// clauseEnds end a clause; a dash or a full stop does with a space.
var clauseEnds = strings.NewReplacer(",", "\n", ";", "\n", ":", "\n", "(", "\n", ")", "\n", " - ", "\n", " – ", "\n",
	" — ", "\n", "—", "\n", "→", "\n", ". ", "\n", "，", "\n", "、", "\n", "；", "\n", "。", "\n", "：", "\n")

// Code returns the code between backquotes in a text, on one line each: the forbidden, and the other. Code is
// forbidden by a word such as "never" or "instead of" in its clause; a clause of nothing but code goes on with the one
// before.
func Code(s string) (forbidden, other []string) {
	bare, code := cutCode(s)
	if len(code) == 0 {
		return nil, nil
	}
	wasForbidden := false
	for clause := range strings.SplitSeq(clauseEnds.Replace(bare), "\n") {
		n := strings.Count(clause, "`")
		own := code[:n]
		code = code[n:]
		from, to := 0, 0
		if n > 0 {
			words := plainClause(clause)
			if from, to = forbiddenRange(words, n); wasForbidden && isList(words) {
				from, to = 0, n
			}
		}
		for i, c := range own {
			if i >= from && i < to {
				forbidden = append(forbidden, c)
			} else {
				other = append(other, c)
			}
		}
		wasForbidden = from < to && to == n
	}
	return forbidden, other
}

// cutCode puts ` in place of the code in a text, with a space around it.
func cutCode(s string) (bare string, code []string) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "`")
		inside, after, closed := strings.Cut(rest, "`")
		b.WriteString(before)
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
	if at := kinds["before"].in(words); at >= 0 {
		if to = strings.Count(words[:at+1], "`"); to > 0 {
			return to - 1, to
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
