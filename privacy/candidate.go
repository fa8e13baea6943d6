package privacy

import (
	"strings"
	"unicode/utf8"
)

// relation is the connection between a key name and its value.
type relation int

const (
	assigned relation = iota // name=value, name = value
	mapped                   // name: value
	option                   // --name value
	stated                   // name is value
	sameLine                 // name value
)

// candidate is a value that may be a secret, with its surroundings.
type candidate struct {
	text               string
	kind, keyName      string
	nameStart, nameEnd int    // of the key name in the text
	start, end         int    // of the value in the text
	value              string // at most maxJudged bytes of it
	relation           relation
	capitals           bool // the key name is in capitals
	ambiguousName      bool // the key name may stand for something else: CACHE_KEY
	adjacent           bool // no space on either side of the sign
	quoted             bool
	wholeLine          bool   // name and value fill the line
	argument           bool   // one of several in parentheses
	compared           bool   // by ==
	truncated          bool   // the value goes on beyond maxJudged
	terminators        string // characters that end the value if it has no quotes
}

const (
	// maxJudged is how many bytes of a value are judged.
	maxJudged = 256
	// maxEscapes is how many backslashes may escape a quote.
	maxEscapes = 7
)

// findValue finds the value of the key name. Without one, start equals end.
func (c *candidate) findValue() {
	s := c.text
	at := afterNumber(s, afterValueLabel(s, afterClosers(s, c.nameEnd)))
	signAt := skip(s, at, blankChars)
	if signAt == len(s) {
		return
	}
	valueAt, ok := c.afterSign(signAt)
	switch {
	case ok && at == c.nameEnd && c.isQuotedWithSign(valueAt):
	case !ok && strings.HasPrefix(s[signAt:], ", ") && c.isFirstArgument(): // define('DB_PASSWORD', 'x')
		c.relation = stated
		if c.readValue(signAt + 2); !c.quoted {
			c.end = c.start
		}
	case ok:
		c.adjacent = signAt == at && valueAt < len(s) && !isBlank(s[valueAt])
		c.readValue(valueAt)
	case signAt == at && s[at] >= utf8.RuneSelf:
		c.readStated(at) // after a particle, perhaps
	case signAt == at:
	case c.isOption():
		c.relation = option
		c.readValue(signAt)
	default:
		c.readProse(signAt)
	}
}

// afterSign skips the sign between key name and value, and notes what it says about
// their relation.
func (c *candidate) afterSign(at int) (valueAt int, ok bool) {
	s := c.text
	for _, sign := range []string{"===", "==", ":=", "=>", "?=", "="} {
		if strings.HasPrefix(s[at:], sign) {
			c.compared = strings.HasPrefix(sign, "==")
			return at + len(sign), true
		}
	}
	switch {
	case strings.HasPrefix(s[at:], "::"):
		return 0, false
	case s[at] == ':':
		if valueAt, ok := afterType(s, at+1); ok {
			return valueAt, true
		}
		c.relation = mapped
		return at + 1, true
	case s[at] == '>' && (c.nameStart > 0 && s[c.nameStart-1] == '<' || hasSuffixFold(s[:at], "<value")):
		return at + 1, true
	}
	return afterType(s, at)
}

// isQuotedWithSign recognises "password=" + value, where the quotes hold no value.
func (c *candidate) isQuotedWithSign(valueAt int) bool {
	s := c.text
	return c.nameStart > 0 && valueAt < len(s) && isQuote(s[valueAt]) && s[valueAt] == s[c.nameStart-1]
}

// isFirstArgument reports whether the key name is the first, quoted argument of a call.
func (c *candidate) isFirstArgument() bool {
	s, open := c.text, c.nameStart-1
	if open < 0 || !isQuote(s[open]) || c.nameEnd == len(s) || s[c.nameEnd] != s[open] {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(s[max(0, open-4):open], blankChars), "(")
}

// isOption reports whether the key name is an option of a command.
func (c *candidate) isOption() bool {
	before := c.text[:c.nameStart]
	return strings.HasSuffix(before, "--") ||
		len(before) >= 2 && strings.HasSuffix(before, "-") && isBlank(before[len(before)-2])
}

// powershellPrefix matches the PowerShell command that wraps a password.
const powershellPrefix = "ConvertTo-SecureString "

// readValue reads the value that starts at or after an index.
func (c *candidate) readValue(at int) {
	s := c.text
	if c.relation == mapped {
		at = skip(s, at, blankChars+"*")
	} else {
		at = skip(s, at, blankChars)
	}
	if strings.HasPrefix(s[at:], powershellPrefix) {
		at += len(powershellPrefix)
	}
	open := at
	if open+1 < len(s) && strings.IndexByte("rbfuRBFU@L", s[open]) >= 0 && isQuote(s[open+1]) {
		open++ // of a string literal such as r"x"
	}
	escaped := open
	open = skipAtMost(s, open, maxEscapes, `\`)
	if open < len(s) && isQuote(s[open]) {
		c.quoted = true
		c.start, c.end = open+1, quotedEnd(s, open, open-escaped)
	} else {
		c.setTerminators()
		c.start, c.end = at, c.unquotedEnd(at, at+maxJudged)
		if end := min(len(s), at+appPasswordLength); c.end == at+4 && isAppPassword(s[at:end]) {
			c.end = end
		}
	}
	c.value = s[c.start:min(c.end, c.start+maxJudged)]
	if c.end-c.start > maxJudged {
		c.value = strings.ToValidUTF8(c.value, "")
	}
	c.noteSurroundings()
}

// noteSurroundings looks at the text around name and value.
func (c *candidate) noteSurroundings() {
	const maxPadding = 8
	s := c.text
	before := max(0, c.nameStart-maxPadding)
	before += len(strings.TrimRight(s[before:c.nameStart], " \t\"'-"))
	c.argument = before > 0 && (s[before-1] == '(' || s[before-1] == ',') ||
		c.end < len(s) && (s[c.end] == ')' || s[c.end] == ',')
	startsLine := before == 0 || s[before-1] == '\n'
	c.wholeLine = startsLine && (c.end == len(s) || s[c.end] == '\n' || s[c.end] == '\r')
}

// quotedEnd returns the index of the quote that closes the one at an index, or the
// line's end if there is none. Quotes within have more backslashes than the outer one.
func quotedEnd(s string, open, escapes int) int {
	backslashes := 0
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i
		case '\\':
			backslashes++
			continue
		case s[open]:
			if backslashes == escapes || backslashes%2 == 0 {
				return i - min(backslashes, escapes)
			}
		}
		backslashes = 0
	}
	return len(s)
}

// setTerminators says what ends a value without quotes besides white space. On a line
// of a shell or a .env file nothing else does.
func (c *candidate) setTerminators() {
	if !(c.adjacent && c.capitals && c.relation == assigned && startsStatement(c.text, c.nameStart)) {
		c.terminators = "\"'`<>,;)]}|\\&"
	}
}

// unquotedEnd returns the end of a value without quotes, which is a limit at most.
func (c *candidate) unquotedEnd(start, limit int) int {
	s, end := c.text, start
	for _, marker := range []string{RedactedMarker, PrivateMarker} {
		if strings.HasPrefix(s[start:], marker) {
			end += len(marker)
		}
	}
	for end < len(s) && s[end] > ' ' {
		if strings.IndexByte(c.terminators, s[end]) >= 0 && (end == start || !c.continuesAfter(end)) {
			break
		}
		r, size := utf8.DecodeRuneInString(s[end:])
		if r >= 0x2000 {
			break // a Korean particle, for instance
		}
		if end+size > limit {
			c.truncated = true
			return end
		}
		end += size
	}
	return start + len(strings.TrimRight(s[start:end], ".,:;"))
}

// continuesAfter reports whether a terminator belongs to the password it stands in.
func (c *candidate) continuesAfter(at int) bool {
	switch c.text[at] {
	case '&':
		return !startsFormField(c.text, at+1)
	case ')':
		return (c.relation == mapped || c.relation == stated) && at+1 < len(c.text) && isWord(c.text[at+1])
	}
	return false
}

// startsFormField reports whether the text after an & shows that the & ends the
// value: the next field of a form, or in a shell nothing or another &.
func startsFormField(s string, at int) bool {
	const maxField = 32
	end := skipAtMost(s, at, maxField, wordChars+"-.[]%")
	return end == len(s) || end == at || s[end] == '=' || end-at == maxField
}

// startsStatement reports whether nothing but "export" and the like stands before
// an index on its line.
func startsStatement(s string, at int) bool {
	line := s[max(0, at-16):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	switch strings.ToLower(strings.Trim(line, " \t-")) {
	case "", "export", "env", "set", "e", "declare", "arg", "environment":
		return true
	}
	return false
}

// afterClosers skips quotes and brackets that close around a name.
func afterClosers(s string, at int) int { return skipAtMost(s, at, 6, "\\\"'`*]") }

// afterValueLabel skips the word value where the key name is itself a value: name:
// PASSWORD, value: x.
func afterValueLabel(s string, at int) int {
	const label = "value"
	start := skipAtMost(s, at, 40, " \t\r\n,;-\"'\\<>")
	if start == at || start+len(label) > len(s) || !strings.EqualFold(s[start:start+len(label)], label) {
		return afterDefault(s, at)
	}
	return afterClosers(s, start+len(label))
}

// afterDefault skips to the default in the block of a Terraform variable: variable
// "password" {.
func afterDefault(s string, at int) int {
	const maxBlock = 256
	start := skip(s, at, blankChars)
	block := s[start:min(len(s), start+maxBlock)]
	if !strings.HasPrefix(block, "{\n") && !strings.HasPrefix(block, "{\r\n") {
		return at
	}
	block, _, _ = strings.Cut(block, "}")
	before, _, found := strings.Cut(block, " default ")
	if !found {
		return at
	}
	return start + len(before) + len(" default")
}

// afterNumber skips the number of one of several: Unseal Key 1: x.
func afterNumber(s string, at int) int {
	start := skip(s, at, blankChars)
	end := skipAtMost(s, start, 2, digitChars)
	if start == at || end == start || end == len(s) || s[end] != ':' {
		return at
	}
	return end
}

// afterType skips a type and the sign after it: name: str = value, name string = value.
func afterType(s string, at int) (valueAt int, ok bool) {
	at = skip(s, at, blankChars)
	end := skipAtMost(s, at, 32, wordChars+"&*'?[] |<>.")
	if end == len(s) || s[end] != '=' || strings.HasPrefix(s[end:], "==") || strings.HasPrefix(s[end:], "=>") {
		return 0, false
	}
	for word := range strings.FieldsFuncSeq(s[at:end], func(r rune) bool { return !isWord(byte(r)) }) {
		if isTypeName(word) {
			return end + 1, true
		}
	}
	return 0, false
}
