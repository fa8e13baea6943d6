package privacy

import "strings"

// verbs stand between a name and its value in English.
var verbs = []string{"is set to ", "is: ", "is ", "was set to ", "was ", "are ", "set to ", "changed to ", "changed from ", "to "}

// readWords reads a value that no sign parts from its name.
func (v *value) readWords(s string, start, at int) {
	if s[at] == '(' { // password (staging) is x
		if i := strings.IndexByte(s[at:min(len(s), at+24)], ')'); i > 0 {
			at = pastBlanks(s, at+i+1)
		}
	}
	if value := afterPhrase(s, at); value > 0 && !strings.EqualFold(v.name, "pass") {
		v.readSentence(s, value)
		return
	}
	v.relation = beside
	for at < len(s) && (isBlank(s[at]) || s[at] == '|') {
		at++
	}
	v.find(s, start, at)
}

// particles follow a name in Korean and Japanese.
var particles = []string{"는", "은", "이", "가", "를", "을", "로", "으로", "は", "を", "が", "：", "是"}

// readSentence reads a value that stands in a sentence about it.
func (v *value) readSentence(s string, at int) {
	v.relation = told
	for _, particle := range particles {
		if strings.HasPrefix(s[at:], particle) {
			at += len(particle)
			break
		}
	}
	for at < len(s) && strings.IndexByte(" \t:=", s[at]) >= 0 {
		at++
	}
	v.find(s, at, at)
}

// afterPhrase goes past what says in English that a value follows; 0 for none.
func afterPhrase(s string, at int) int {
	for _, verb := range []string{"is generated ", "was generated "} {
		if strings.HasPrefix(s[at:], verb) {
			return afterSubject(s, at+len(verb))
		}
	}
	if value := afterSubject(s, at); value > 0 {
		return value
	}
	for _, verb := range verbs {
		if strings.HasPrefix(s[at:], verb) {
			return at + len(verb)
		}
	}
	return 0
}

// maxSubject bounds what a password is said to be for.
const maxSubject = 48

// afterSubject goes past "for the staging server: " and the like; 0 for none.
func afterSubject(s string, at int) int {
	subject := s[at:min(len(s), at+maxSubject)]
	if line := strings.IndexByte(subject, '\n'); line >= 0 {
		subject = subject[:line]
	}
	for _, word := range []string{"for ", "of ", "on ", "to "} {
		if !strings.HasPrefix(subject, word) {
			continue
		}
		if i := strings.Index(subject, ": "); i >= 0 {
			return at + i + len(": ")
		}
		if i := strings.Index(subject, " is "); i >= 0 {
			return at + i + len(" is ")
		}
	}
	return 0
}
