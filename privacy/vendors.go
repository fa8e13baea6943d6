package privacy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	alnum  = letterChars + digitChars
	dashed = alnum + "_-"
	dotted = dashed + "."
)

// tokenRule describes one kind of a vendor's tokens: a prefix, then characters of
// a set, digits and letters among them.
type tokenRule struct {
	prefix, kind, chars string
	min                 int // length after the prefix
	exact               bool
}

// tokensByFirstByte spares most words all of the rules.
var tokensByFirstByte = sync.OnceValue(func() *[256][]*tokenRule {
	sets := map[string]string{"alnum": alnum, "dashed": dashed, "dotted": dotted}
	var all []*tokenRule
	for _, row := range rules()["token"] {
		columns := strings.Fields(row)
		length, more := strings.CutSuffix(columns[2], "+")
		n, _ := strconv.Atoi(length) // a test reads all of them
		for _, prefix := range columns[3:] {
			all = append(all, &tokenRule{prefix, columns[0], sets[columns[1]], n, !more})
		}
	}
	return groupBy(all, func(r *tokenRule) byte { return r.prefix[0] })
})

// vendorTokens finds the tokens of the table token.
func vendorTokens(s string) []finding {
	var findings []finding
	byFirst := tokensByFirstByte()
	for i := 0; i < len(s); i++ {
		for _, rule := range byFirst[s[i]] {
			if !strings.HasPrefix(s[i:], rule.prefix) || !startsWord(s, i) && !rule.inWords() {
				continue
			}
			if end := rule.tokenEnd(s, i); end > 0 {
				findings = append(findings, finding{i, end, rule.kind})
				i = end - 1
			}
			break
		}
	}
	return findings
}

// inWords reports whether the prefix also counts within a word, as in "Toolghp_…". No
// name goes on for so long after it without an underscore.
func (r *tokenRule) inWords() bool {
	return len(r.prefix) >= 4 && strings.HasSuffix(r.prefix, "_") && r.chars == alnum
}

// tokenEnd returns the end of the token whose prefix stands at an index, 0 if there
// is none.
func (r *tokenRule) tokenEnd(s string, at int) int {
	const enough = 100 // characters that show whether it is a token
	start := at + len(r.prefix)
	end := skipAtMost(s, start, enough, r.chars)
	if n := end - start; n < r.min || r.exact && n > r.min || !isMixed(s[start:end]) {
		return 0
	}
	end = skip(s, end, r.chars)
	if r.chars == dotted {
		return start + len(strings.TrimRight(s[start:end], ".-_"))
	}
	return end
}

// startsWord reports whether a word starts at an index: after anything but a letter,
// a digit or an underscore, unless those end an escape ("\n", "%3D").
func startsWord(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	if i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0 {
		return true
	}
	return i >= 3 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}

// shape is a row of the table shape.
type shape struct {
	kind, mark, checks string
	*regexp.Regexp
}

var shapes = sync.OnceValue(func() (list []shape) {
	for _, row := range rules()["shape"] {
		columns := strings.Fields(row)
		list = append(list, shape{columns[0], columns[1], columns[2], regexp.MustCompile(columns[3])})
	}
	return list
})

// shapedSecrets finds the secrets of the table shape, those of one kind unless that is "".
func shapedSecrets(s, kind string) (findings []finding) {
	for _, rule := range shapes() {
		if kind != "" && kind != rule.kind || !strings.Contains(s, rule.mark) {
			continue
		}
		for at := 0; at < len(s); {
			found := rule.FindStringSubmatchIndex(s[at:])
			if found == nil {
				break
			}
			first, start, end := at+found[0], at+found[2], at+found[3]
			if !rule.accepts(s, first, s[start:end]) {
				at = first + 1
				continue
			}
			findings = append(findings, finding{start, end, rule.kind})
			at = end
		}
	}
	return findings
}

// accepts makes the checks of a rule on what it matches from an index on, and on the secret there.
func (r shape) accepts(s string, first int, secret string) bool {
	return (!strings.Contains(r.checks, "word") || startsWord(s, first)) &&
		(!strings.Contains(r.checks, "digit") || strings.ContainsAny(secret, digitChars)) &&
		(!strings.Contains(r.checks, "password") || isCredential(secret))
}

// brokenTokens finds vendor tokens that a line break splits.
func brokenTokens(s string) []finding {
	v := joinLines(s)
	if v.text == s {
		return nil
	}
	found := v.inText(append(vendorTokens(v.text), shapedSecrets(v.text, "jwt")...))
	return slices.DeleteFunc(found, func(f finding) bool { return !strings.Contains(s[f.start:f.end], "\n") })
}

// joinLines returns a text without the line breaks, and the indentation after them, that
// may stand within a token.
func joinLines(s string) view {
	v := view{text: s, original: s}
	var b strings.Builder
	copied := 0
	for end := range occurrences(s, "\n") {
		start := skip(s, end+1, blankChars)
		for end > copied && isBlank(s[end-1]) {
			end--
		}
		if end <= copied || !breaksToken(s, end, start) {
			continue
		}
		b.WriteString(s[copied:end])
		copied = start
		v.noteShift(b.Len(), start)
	}
	b.WriteString(s[copied:])
	v.text = b.String()
	return v
}

// breaksToken reports whether a token may end at one index and go on at another: the
// characters on both sides are a token's, and those that follow look random and are not
// a separate token.
func breaksToken(s string, end, start int) bool {
	const shortest, enough = 4, 100
	before := s[max(0, end-shortest):end]
	if len(before) < shortest || !consistsOf(before, dotted) {
		return false
	}
	after := s[start:skipAtMost(s, start, enough, dotted)]
	return len(after) >= shortest && isMixed(after) && !isWordy(after) && !startsToken(s, start)
}

func startsToken(s string, at int) bool {
	for _, rule := range tokensByFirstByte()[s[at]] {
		if strings.HasPrefix(s[at:], rule.prefix) {
			return rule.tokenEnd(s, at) > 0
		}
	}
	return false
}
