package privacy

import "strings"

// maxUserInfo bounds the part of an address before its host.
const maxUserInfo = 512

// urlCredentials finds the passwords of addresses like scheme://user:password@host.
func urlCredentials(s string) []span {
	var spans []span
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return spans
		}
		at += i + len("://")
		start, end := password(s[at:min(len(s), at+maxUserInfo)])
		if end > 0 && isPassword(s[at+start:at+end]) {
			spans = append(spans, span{at + start, at + end, kindURL})
		}
	}
}

// password finds what stands between the first colon and the last @ of an
// authority; end 0 if there is no such thing. Slashes in a password should be
// escaped but often are not.
func password(authority string) (start, end int) {
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
		case c == '/' && start > 0 && end == 0 && authority[i-1] != '/' && !isPort(authority[start:i]):
			slashed = true
		case c <= ' ' || strings.IndexByte("/?#\"'`<>\\", c) >= 0:
			return start, end
		}
	}
	return start, end
}

func isPort(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isPassword tells a password from what documents put in its place.
func isPassword(s string) bool {
	if s == "" || isPlaceholder(s) {
		return false
	}
	switch strings.ToLower(s) {
	case "password", "passwd", "pass", "pwd", "pw":
		return false
	}
	return strings.IndexByte("${%<[(", s[0]) < 0
}
