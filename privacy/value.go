package privacy

import (
	"strings"
	"unicode/utf8"
)

// relation is how a name and its value stand together.
type relation int

const (
	assigned relation = iota // name=value, name = value
	mapped                   // name: value
	option                   // --name value
	told                     // name is value
	beside                   // name value
)

// value is what may be a secret, and how it stands beside its name.
type value struct {
	kind, name string
	start, end int    // of the value in the text
	text       string // its beginning, as much as is judged
	relation   relation
	upper      bool // the name is in capitals
	tight      bool // no space on either side of the sign
	quoted     bool
	alone      bool // name and value are the whole line
	argument   bool // one of several in parentheses
	compared   bool // by == to something that may be a secret
	long       bool // it goes on beyond what is judged
	weak       bool // the name may well be another's: a key
	stops      string
}

const (
	// maxJudged is how much of a value is looked at before it is found to be one.
	maxJudged = 256
	// maxEscapes is how many backslashes a quote within quotes may have.
	maxEscapes = 7
)

// read finds the value of a name that stands from start to end; none where the
// value's start and end are the same.
func (v *value) read(s string, start, end int) {
	at := afterNumber(s, afterValueWord(s, pastClosers(s, end)))
	signAt := pastBlanks(s, at)
	if signAt == len(s) {
		return
	}
	flag := strings.HasSuffix(s[:start], "--") || strings.HasSuffix(s[:start], "-") && start >= 2 && isBlank(s[start-2])
	next, ok := v.sign(s, start, signAt)
	switch {
	case ok && at == end && start > 0 && next < len(s) && isQuote(s[next]) && s[next] == s[start-1]:
		// "password=" + value: the quote closes
	case !ok && strings.HasPrefix(s[signAt:], ", ") && isFirstArgument(s, start, end):
		v.relation = told // define('DB_PASSWORD', 'x')
		v.find(s, start, signAt+2)
		if !v.quoted {
			v.end = v.start
		}
	case ok:
		v.tight = signAt == at && next < len(s) && !isBlank(s[next])
		v.find(s, start, next)
	case signAt == at && s[at] >= utf8.RuneSelf:
		v.readSentence(s, at) // a particle, perhaps
	case signAt == at:
	case flag:
		v.relation = option
		v.find(s, start, signAt)
	default:
		v.readWords(s, start, signAt)
	}
}

// sign goes past the sign that parts a name from its value.
func (v *value) sign(s string, start, at int) (next int, ok bool) {
	rest := s[at:min(len(s), at+4)]
	for _, sign := range []string{"===", "==", ":=", "=>", "?=", "=", ":"} {
		if !strings.HasPrefix(rest, sign) {
			continue
		}
		next = at + len(sign)
		v.compared = strings.HasPrefix(sign, "==")
		if sign == ":" {
			v.relation = mapped
			if strings.HasPrefix(rest, "::") {
				return 0, false
			}
			if typed, ok := afterType(s, next); ok {
				v.relation = assigned
				return typed, true
			}
		}
		return next, true
	}
	if rest[0] == '>' && (start > 0 && s[start-1] == '<' || hasSuffixFold(s[:at], "<value")) {
		return at + 1, true
	}
	if typed, ok := afterType(s, at); ok {
		return typed, true
	}
	return 0, false
}

// secureString is how PowerShell wraps a password.
const secureString = "ConvertTo-SecureString "

// find sets the bounds of a value that starts at a place or after blanks.
func (v *value) find(s string, nameStart, at int) {
	for at < len(s) && (isBlank(s[at]) || v.relation == mapped && s[at] == '*') {
		at++
	}
	if strings.HasPrefix(s[at:], secureString) {
		at += len(secureString)
	}
	open := at
	if open+1 < len(s) && strings.IndexByte("rbfuRBFU@L", s[open]) >= 0 && isQuote(s[open+1]) {
		open++
	}
	escapes := 0
	for open < len(s) && s[open] == '\\' && escapes < maxEscapes {
		open++
		escapes++
	}
	if open < len(s) && isQuote(s[open]) {
		v.quoted = true
		v.start, v.end = open+1, quotedEnd(s, open, escapes)
	} else {
		v.stops = v.stopsAt(s, nameStart)
		v.start, v.end = at, v.plainEnd(s, at, at+maxJudged)
		if whole := min(len(s), at+appPassword); v.end == at+4 && isAppPassword(s[at:whole]) {
			v.end = whole
		}
	}
	v.text = s[v.start:min(v.end, v.start+maxJudged)]
	if v.end-v.start > maxJudged {
		v.text = strings.ToValidUTF8(v.text, "")
	}
	v.surroundings(s, nameStart)
}

// surroundings looks at what stands around name and value.
func (v *value) surroundings(s string, nameStart int) {
	before := nameStart
	for before > 0 && nameStart-before < 8 && strings.IndexByte(" \t\"'-", s[before-1]) >= 0 {
		before--
	}
	v.argument = before > 0 && (s[before-1] == '(' || s[before-1] == ',')
	if v.end < len(s) && strings.IndexByte("),", s[v.end]) >= 0 {
		v.argument = true
	}
	starts := before == 0 || s[before-1] == '\n'
	v.alone = starts && (v.end == len(s) || s[v.end] == '\n' || s[v.end] == '\r')
}

// quotedEnd returns where the quote at a place is closed, the line's end if it is
// not. Quotes inside are escaped more often than the outer one.
func quotedEnd(s string, open, escapes int) int {
	slashes := 0
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i
		case '\\':
			slashes++
			continue
		case s[open]:
			if slashes == escapes || slashes%2 == 0 {
				return i - min(slashes, escapes)
			}
		}
		slashes = 0
	}
	return len(s)
}

// stopsAt lists what ends a value without quotes besides white space.
func (v *value) stopsAt(s string, nameStart int) string {
	if v.tight && v.upper && v.relation == assigned && startsLine(s, nameStart) {
		return "" // a line of a shell or of a .env file
	}
	return "\"'`<>,;)]}|\\&"
}

// plainEnd returns where a value without quotes ends, or the limit.
func (v *value) plainEnd(s string, at, limit int) int {
	end := at
	for _, marker := range []string{RedactedMarker, PrivateMarker} {
		if strings.HasPrefix(s[at:], marker) {
			end += len(marker)
		}
	}
	for end < len(s) && s[end] > ' ' && (strings.IndexByte(v.stops, s[end]) < 0 || end > at && v.goesOn(s, end)) {
		size := 1
		if s[end] >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[end:]); r >= 0x2000 {
				break // the particle after it, for instance
			}
		}
		if end+size > limit {
			v.long = true
			return end
		}
		end += size
	}
	for end > at && strings.IndexByte(".,:;", s[end-1]) >= 0 {
		end--
	}
	return end
}

// goesOn tells a sign that ends most values from one that stands within a password.
func (v *value) goesOn(s string, at int) bool {
	switch s[at] {
	case '&':
		return !startsField(s, at+1)
	case ')':
		return (v.relation == mapped || v.relation == told) && at+1 < len(s) && isWord(s[at+1])
	}
	return false
}

// startsField tells what follows an & that ends a value: the next field of a form, or
// of a shell's line nothing or another &. Elsewhere it belongs to a password.
func startsField(s string, at int) bool {
	end := at
	for end < len(s) && end-at < 32 && (isWord(s[end]) || strings.IndexByte("-.[]%", s[end]) >= 0) {
		end++
	}
	return end == len(s) || end == at || s[end] == '=' || end-at == 32
}

// startsLine tells whether nothing but "export" and the like stands before.
func startsLine(s string, at int) bool {
	line := s[max(0, at-16):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	switch strings.ToLower(strings.Trim(line, " \t-")) {
	case "", "export", "env", "set", "e", "declare", "arg", "environment":
		return true
	}
	return false
}

// pastClosers goes past quotes and brackets that close around a name.
func pastClosers(s string, at int) int {
	for n := 0; at < len(s) && n < 6 && strings.IndexByte("\\\"'`*]", s[at]) >= 0; n++ {
		at++
	}
	return at
}

func pastBlanks(s string, at int) int {
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	return at
}

// afterValueWord goes past the word value, where the name is itself one: name:
// PASSWORD, value: x.
func afterValueWord(s string, at int) int {
	word := at
	for word < len(s) && word-at < 40 && strings.IndexByte(" \t\r\n,;-\"'\\<>", s[word]) >= 0 {
		word++
	}
	if word == at || word+len("value") > len(s) || !strings.EqualFold(s[word:word+len("value")], "value") {
		return afterDefault(s, at)
	}
	return pastClosers(s, word+len("value"))
}

// maxBlock bounds the block of a Terraform variable up to its default.
const maxBlock = 256

// afterDefault goes past "default" in the block of a variable: variable "password" {.
func afterDefault(s string, at int) int {
	block := s[pastBlanks(s, at):]
	if !strings.HasPrefix(block, "{\n") && !strings.HasPrefix(block, "{\r\n") {
		return at
	}
	start := len(s) - len(block)
	block, _, _ = strings.Cut(block[:min(len(block), maxBlock)], "}")
	i := strings.Index(block, " default ")
	if i < 0 {
		return at
	}
	return start + i + len(" default")
}

// isFirstArgument tells a quoted name right behind a parenthesis.
func isFirstArgument(s string, start, end int) bool {
	if start == 0 || !isQuote(s[start-1]) || end == len(s) || s[end] != s[start-1] {
		return false
	}
	before := start - 1
	for before > 0 && start-before < 4 && isBlank(s[before-1]) {
		before--
	}
	return before > 0 && s[before-1] == '('
}

// afterNumber goes past the number of one of several: Unseal Key 1: x.
func afterNumber(s string, at int) int {
	end := pastBlanks(s, at)
	digits := end
	for digits < len(s) && digits-end < 2 && isDigit(s[digits]) {
		digits++
	}
	if end == at || digits == end || digits == len(s) || s[digits] != ':' {
		return at
	}
	return digits
}

// afterType goes past a type: name: str = value, name string = value.
func afterType(s string, at int) (next int, ok bool) {
	at = pastBlanks(s, at)
	end := at
	for end < len(s) && end-at < 32 && (isWord(s[end]) || strings.IndexByte("&*'?[] |<>.", s[end]) >= 0) {
		end++
	}
	if end == len(s) || s[end] != '=' || strings.HasPrefix(s[end:], "==") || strings.HasPrefix(s[end:], "=>") {
		return 0, false
	}
	for _, word := range strings.FieldsFunc(s[at:end], func(r rune) bool { return !isWord(byte(min(r, 127))) }) {
		if isType(word) {
			return end + 1, true
		}
	}
	return 0, false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
