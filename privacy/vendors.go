package privacy

import (
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

// tokenRule is how one sort of a vendor's tokens looks: a prefix, then characters of
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

// jsonWebTokens finds JWTs: three parts with dots between them, the last of which may
// be empty.
func jsonWebTokens(s string) []finding {
	const minHeader, minPayload = 12, 4
	var findings []finding
	done := 0
	for at := range occurrences(s, "eyJ") {
		if at < done || !startsWord(s, at) {
			continue
		}
		header := skip(s, at, dashed)
		if header-at < minHeader {
			continue
		}
		done = header // whatever starts within a header that fails, fails too
		if header == len(s) || s[header] != '.' {
			continue
		}
		payload := skip(s, header+1, dashed)
		if payload-header > minPayload && payload < len(s) && s[payload] == '.' {
			done = skip(s, payload+1, dashed)
			findings = append(findings, finding{at, done, "jwt"})
		}
	}
	return findings
}

// webhookPaths finds what follows the addresses of the table webhook.
func webhookPaths(s string) []finding {
	const minPath = 24
	var findings []finding
	for _, row := range rules()["webhook"] {
		kind, address, _ := strings.Cut(row, " ")
		for at := range occurrences(s, address) {
			start := at + len(address)
			end := skip(s, start, dashed+"/")
			if startsWord(s, at) && end-start >= minPath && strings.ContainsAny(s[start:end], digitChars) {
				findings = append(findings, finding{start, end, kind})
			}
		}
	}
	return findings
}

// telegramTokens finds tokens of bots: 8 to 10 digits, ":AA", 32 or 33 characters.
func telegramTokens(s string) []finding {
	const separator = ":AA"
	var findings []finding
	for at := range occurrences(s, separator) {
		start := max(0, at-11)
		start += len(strings.TrimRight(s[start:at], digitChars))
		rest := at + len(separator)
		end := skipAtMost(s, rest, 34, dashed)
		if id, secret := at-start, end-rest; id >= 8 && id <= 10 && (secret == 32 || secret == 33) {
			findings = append(findings, finding{start, end, "telegram_token"})
		}
	}
	return findings
}

// brokenTokens finds vendor tokens that a line break splits.
func brokenTokens(s string) []finding {
	v := joinLines(s)
	if v.text == s {
		return nil
	}
	found := v.inText(append(vendorTokens(v.text), jsonWebTokens(v.text)...))
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
