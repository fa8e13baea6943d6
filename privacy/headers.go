package privacy

import (
	"encoding/base64"
	"strings"
)

// cookieValues finds random values in Cookie and Set-Cookie headers, whatever
// their names.
func cookieValues(s string) []finding {
	const maxHeader = 4096 // bytes of a header that are looked at
	var findings []finding
	done := 0
	for at := range occurrences(s, "ookie") {
		name := at + len("ookie")
		start := skipAtMost(s, name, 6, "\\\"': ")
		if at < max(done, 1) || s[at-1]|0x20 != 'c' || !strings.Contains(s[name:start], ":") {
			continue
		}
		header := s[start:min(len(s), start+maxHeader)]
		if end := strings.IndexAny(header, "\r\n\"'`"); end >= 0 {
			header = header[:end]
		}
		done = start + len(header)
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
