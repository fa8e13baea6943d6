package privacy

import (
	"regexp"
	"strings"
	"sync"
)

// maxUserInfo bounds the part of an address before its host.
const maxUserInfo = 512

// urlCredentials finds the passwords of addresses like scheme://user:password@host
// and the tokens of those like https://TOKEN@host.
func urlCredentials(s string) []finding {
	var findings []finding
	for at := range occurrences(s, "://") {
		at += len("://")
		authority := s[at:min(len(s), at+maxUserInfo)]
		start, end := passwordIn(authority)
		if end == 0 {
			start, end = 0, tokenEnd(authority)
		}
		if end > 0 && isCredential(authority[start:end]) {
			findings = append(findings, finding{at + start, at + end, kindURL})
		}
	}
	return findings
}

// passwordIn finds what stands between the first colon and the last @ of an
// authority; end 0 if there is no such thing. Slashes in a password should be escaped
// but often are not.
func passwordIn(authority string) (start, end int) {
	slashed := false
	for i := range len(authority) {
		switch c := authority[i]; {
		case c == ':' && start == 0:
			start = i + 1
		case c == '@' && start > 0:
			end = i
			if slashed {
				return start, end
			}
		case c == '/' && start > 0 && end == 0 && authority[i-1] != '/' && !consistsOf(authority[start:i], digitChars):
			slashed = true
		case c <= ' ' || strings.IndexByte("/?#\"'`<>\\", c) >= 0:
			return start, end
		}
	}
	return start, end
}

// tokenEnd returns the end of a user that is a token; 0 if it is none. The keys in
// addresses of Sentry are public.
func tokenEnd(authority string) int {
	user, _, found := strings.Cut(authority, "@")
	if found && len(user) >= 20 && consistsOf(user, wordChars+"-._~%") &&
		!strings.Contains(authority, "sentry") && isRandom(user) {
		return len(user)
	}
	return 0
}

// pgpassLine is a line of a .pgpass file: host:port:database:user:password.
var pgpassLine = sync.OnceValue(func() *regexp.Regexp {
	const name = `(?:\*|[A-Za-z][\w.-]*)`
	return regexp.MustCompile(`^` + name + `:(?:\*|\d{2,5}):` + name + `:` + name + `:([^ \t]{6,})$`)
})

func pgpassPasswords(s string) []finding {
	const maxLine = 300
	var findings []finding
	at := 0
	for line := range strings.SplitSeq(s, "\n") {
		start := at
		at += len(line) + 1
		line = strings.TrimRight(line, "\r")
		if len(line) > maxLine || strings.Count(line, ":") < 4 {
			continue
		}
		m := pgpassLine().FindStringSubmatchIndex(line)
		if m != nil && isMixed(line[m[2]:]) && isCredential(line[m[2]:]) {
			findings = append(findings, finding{start + m[2], start + len(line), kindPassword})
		}
	}
	return findings
}

// isCredential reports whether a value is more than what documentation puts in place
// of a password.
func isCredential(s string) bool {
	if s == "" || isPlaceholder(s) {
		return false
	}
	switch strings.ToLower(s) {
	case "password", "passwd", "pass", "pwd", "pw":
		return false
	}
	return strings.IndexByte("${%<[(", s[0]) < 0
}
