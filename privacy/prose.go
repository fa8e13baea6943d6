package privacy

import (
	"cmp"
	"strings"
)

// verbs stand between a key name and its value in English.
var verbs = []string{
	"is set to ", "is: ", "is ", "was set to ", "was ", "are ", "set to ", "changed to ", "changed from ", "to ",
}

// readProse reads a value that no sign separates from its name.
func (c *candidate) readProse(at int) {
	s := c.text
	if s[at] == '(' { // password (staging) is x
		if i := strings.IndexByte(s[at:min(len(s), at+24)], ')'); i > 0 {
			at = skip(s, at+i+1, blankChars)
		}
	}
	if valueAt := afterPhrase(s, at); valueAt > 0 && !strings.EqualFold(c.keyName, "pass") {
		c.readStated(valueAt)
		return
	}
	c.relation = sameLine
	c.readValue(skip(s, at, blankChars+"|"))
}

// particles follow a name in Korean, Japanese and Chinese.
var particles = []string{"는", "은", "이", "가", "를", "을", "로", "으로", "は", "を", "が", "：", "是"}

// readStated reads the value that a sentence states.
func (c *candidate) readStated(at int) {
	c.relation = stated
	c.readValue(skip(c.text, max(at, afterAny(c.text, at, particles)), " \t:="))
}

// afterPhrase skips the English words that announce a value; 0 if there are none.
func afterPhrase(s string, at int) int {
	if purposeAt := afterAny(s, at, []string{"is generated ", "was generated "}); purposeAt > 0 {
		return afterPurpose(s, purposeAt)
	}
	return cmp.Or(afterPurpose(s, at), afterAny(s, at, verbs))
}

// maxPurpose bounds the words that say what a password is for.
const maxPurpose = 48

// afterPurpose skips "for the staging server: " and the like; 0 if there is no such
// phrase.
func afterPurpose(s string, at int) int {
	purpose, _, _ := strings.Cut(s[at:min(len(s), at+maxPurpose)], "\n")
	if !hasAnyPrefix(purpose, []string{"for ", "of ", "on ", "to "}) {
		return 0
	}
	for _, end := range []string{": ", " is "} {
		if before, _, found := strings.Cut(purpose, end); found {
			return at + len(before) + len(end)
		}
	}
	return 0
}

// afterRemark skips what is said between a foreign name and a colon, in the same
// script: 비밀번호 바꿨어요: x.
func afterRemark(s string, at int) int {
	remark := s[at:min(len(s), at+maxPurpose)]
	end := strings.IndexFunc(remark, func(r rune) bool { return r < 128 && r != ' ' })
	if end <= 0 || remark[end] != ':' {
		return at
	}
	return at + end
}
