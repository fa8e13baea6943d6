package privacy

import (
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// Limits of the user's patterns. A project brings its own, so that they must not be
// able to take memory or time without end.
const (
	MaxPatterns      = 64
	MaxPatternLength = 1000 // code points

	maxInstructions   = 1000   // of the compiled program
	maxUnicodeClasses = 10     // \p{…}, of which each is a long table
	maxFolded         = 50_000 // characters in ranges of a pattern that ignores case
)

// CheckPattern returns an error for a pattern that does not compile or is too large. It
// checks the size before anything makes the program, which repetitions could let grow
// without end.
func CheckPattern(pattern string) error {
	switch {
	case utf8.RuneCountInString(pattern) > MaxPatternLength:
		return fmt.Errorf("a pattern of more than %d characters", MaxPatternLength)
	case strings.Count(strings.ToLower(pattern), `\p`) > maxUnicodeClasses:
		return fmt.Errorf("a pattern with more than %d Unicode classes: `%s`", maxUnicodeClasses, pattern)
	case folded(pattern) > maxFolded:
		return fmt.Errorf("a pattern that ignores case in ranges of more than %d characters: `%s`", maxFolded, pattern)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return err
	}
	if instructions(parsed) > maxInstructions {
		return fmt.Errorf("a pattern of more than %d steps, repetitions counted: `%s`", maxInstructions, pattern)
	}
	return nil
}

// CheckPatterns returns the patterns that a filter uses, and for each of the others an
// error.
func CheckPatterns(patterns []string) (usable []string, problems []error) {
	for _, pattern := range patterns[:min(len(patterns), MaxPatterns)] {
		if err := CheckPattern(pattern); err != nil {
			problems = append(problems, err)
			continue
		}
		usable = append(usable, pattern)
	}
	if left := len(patterns) - MaxPatterns; left > 0 {
		problems = append(problems, fmt.Errorf("more than %d patterns: the last %d are not used", MaxPatterns, left))
	}
	return usable, problems
}

var (
	// foldFlag matches what makes a pattern ignore case: (?i), (?si-m:.
	foldFlag = text.Pattern(`\(\?[a-zA-Z]*i`)
	// classOrEscape matches [a-z], with the escapes before it so that \[ begins none.
	classOrEscape = text.Pattern(`(?s)\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]`)
)

// folded estimates how many characters of its ranges the parser looks up one by one for
// a pattern that ignores case.
func folded(pattern string) int {
	const lastWithCase = '\U0001E943'
	if !foldFlag().MatchString(pattern) {
		return 0
	}
	n := 0
	for _, class := range classOrEscape().FindAllString(pattern, -1) {
		for hyphen := range occurrences(class, "-") {
			low, _ := utf8.DecodeLastRuneInString(class[:hyphen])
			high, _ := utf8.DecodeRuneInString(class[hyphen+1:])
			if strings.HasPrefix(class[hyphen+1:], `\x{`) {
				high = lastWithCase
			}
			n += max(0, int(min(high, lastWithCase)-low))
		}
	}
	return n
}

// instructions estimates how many instructions an expression compiles to. It stops
// counting above maxInstructions.
func instructions(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpConcat:
	case syntax.OpRepeat: // at most 1,000 times
		n = n*max(1, re.Min, re.Max) + max(1, re.Max-re.Min)
	default:
		n += max(1, len(re.Sub))
	}
	return min(n, maxInstructions+1)
}

// pattern is an expression of the user.
type pattern struct {
	*regexp.Regexp
	// after finds the first match behind the first character, as its first group. The
	// first character tells what stands before, for ^ and \b.
	after *regexp.Regexp
}

// compilePatterns compiles the patterns that CheckPatterns accepts.
func compilePatterns(expressions []string) []pattern {
	usable, _ := CheckPatterns(expressions)
	var patterns []pattern
	for _, expression := range usable {
		re, err := regexp.Compile(expression)
		if err != nil {
			continue
		}
		const before = `(?s:..*?)`
		after, err := regexp.Compile(before + `(` + expression + `)`)
		if err != nil { // it ends within \Q
			after = regexp.MustCompile(before + `(` + expression + `\E)`)
		}
		patterns = append(patterns, pattern{re, after})
	}
	return patterns
}

// matches returns the places of the matches in a text that are not empty, none of which
// overlap. With a deadline it reads the text through a lateReader, because nothing else
// can interrupt a match.
func (f *Filter) matches(p pattern, s string) [][]int {
	var matches [][]int
	if f.deadline.IsZero() {
		matches = p.FindAllStringIndex(s, -1)
		return slices.DeleteFunc(matches, func(at []int) bool { return at[0] == at[1] })
	}
	for from := 0; from <= len(s); {
		start, end, ok := f.match(p, s, from)
		if !ok || f.late() {
			break
		}
		if start < end {
			matches = append(matches, []int{start, end})
		}
		if end == from { // an empty match
			_, size := utf8.DecodeRuneInString(s[from:])
			end += max(1, size)
		}
		from = end
	}
	return matches
}

// match finds the first match that starts at or after an index.
func (f *Filter) match(p pattern, s string, from int) (start, end int, ok bool) {
	if from == 0 {
		at := p.FindReaderIndex(&lateReader{filter: f, text: s})
		if at == nil {
			return 0, 0, false
		}
		return at[0], at[1], true
	}
	_, size := utf8.DecodeLastRuneInString(s[:from])
	from -= size
	at := p.after.FindReaderSubmatchIndex(&lateReader{filter: f, text: s[from:]})
	if at == nil {
		return 0, 0, false
	}
	return from + at[2], from + at[3], true
}

// lateReader reads a text that ends when the filter's deadline is over.
type lateReader struct {
	filter *Filter
	text   string
	at     int
	reads  int
}

func (r *lateReader) ReadRune() (rune, int, error) {
	const checkEvery = 32 // a step of the largest program takes 0.1 ms
	if r.reads%checkEvery == 0 && r.filter.late() || r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	r.reads++
	c, size := utf8.DecodeRuneInString(r.text[r.at:])
	r.at += size
	return c, size, nil
}
