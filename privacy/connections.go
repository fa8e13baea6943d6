package privacy

import (
	"encoding/base64"
	"strings"

	"memctl/text"
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
var pgpassLine = text.Pattern(`^` + pgpassName + `:(?:\*|\d{2,5}):` + pgpassName + `:` + pgpassName + `:([^ \t]{6,})$`)

const pgpassName = `(?:\*|[A-Za-z][\w.-]*)`

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

// cookieValues finds random values in Cookie and Set-Cookie headers, whatever
// their names.
func cookieValues(s string) []finding {
	const maxHeader = 4096 // bytes of a header that are looked at
	var findings []finding
	lastEnd := 0
	for at := range occurrences(s, "ookie") {
		name := at + len("ookie")
		start := skipAtMost(s, name, 6, "\\\"': ")
		if at < max(lastEnd, 1) || s[at-1]|0x20 != 'c' || !strings.Contains(s[name:start], ":") {
			continue
		}
		header := s[start:min(len(s), start+maxHeader)]
		if end := strings.IndexAny(header, "\r\n\"'`"); end >= 0 {
			header = header[:end]
		}
		lastEnd = start + len(header)
		for pair := range strings.SplitSeq(header, ";") {
			if name, value, _ := strings.Cut(pair, "="); name != "" && isCookieSecret(value) {
				findings = append(findings, finding{start + len(name) + 1, start + len(pair), kindCookie})
			}
			start += len(pair) + 1
		}
	}
	return findings
}

func isCookieSecret(value string) bool {
	return len(value) >= 16 && isRandom(value) && !isStandIn(value) && !strings.Contains(value, " ")
}

// authorization reads the credentials that follow the name of a scheme of HTTP
// authorization, or stand under auth in the settings of docker and npm.
func authorization(s, name string, end int) (f finding, ok bool) {
	separators := " \t"
	switch {
	case strings.EqualFold(name, "bearer"):
		f.kind = kindBearer
	case strings.EqualFold(name, "basic"):
		f.kind = kindBasic
	case name == "auth", name == "_auth":
		f.kind, separators = kindBasic, " \t\\\"':="
	default:
		return f, false
	}
	f.start = skipAtMost(s, end, 8, separators)
	if f.start == end {
		return f, false
	}
	f.end = credentialsEnd(s[:min(len(s), f.start+maxJudged)], f.start)
	value := s[f.start:f.end]
	random := len(value) >= 16 && isRandom(value)
	if f.kind == kindBearer {
		ok = random && !isPlaceholder(value)
	} else {
		ok = isBasic(value) || random && name != "auth" // perhaps cut off
	}
	if ok && len(value) == maxJudged {
		f.end = credentialsEnd(s, f.start)
	}
	return f, ok
}

// credentialsEnd returns the end of the token or base64 text at an index.
func credentialsEnd(s string, at int) int {
	end := skip(s, at, wordChars+"-.~+/")
	end = skip(s, end, "=")
	return at + len(strings.TrimRight(s[at:end], "."))
}

// isBasic recognises user:password in base64.
func isBasic(s string) bool {
	if len(s) < 8 {
		return false
	}
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil || strings.ContainsFunc(string(decoded), func(r rune) bool { return r < ' ' || r > '~' }) {
		return false
	}
	user, _, found := strings.Cut(string(decoded), ":")
	return found && user != ""
}
