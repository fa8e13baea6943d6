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
		authority := s[at:min(len(s), at+maxUserInfo)]
		start, end := password(authority)
		if end == 0 {
			start, end = 0, loneToken(authority)
		}
		if end > 0 && isPassword(s[at+start:at+end]) {
			spans = append(spans, span{at + start, at + end, kindURL})
		}
	}
}

// loneToken is the end of a user that is a token: https://TOKEN@host; 0 for none.
// The keys in addresses of Sentry are public.
func loneToken(authority string) int {
	end := 0
	for end < len(authority) && (isWord(authority[end]) || strings.IndexByte("-._~%", authority[end]) >= 0) {
		end++
	}
	if end < 20 || end == len(authority) || authority[end] != '@' || strings.Contains(authority, "sentry") || !isRandom(authority[:end]) {
		return 0
	}
	return end
}

// sourceNames finds the passwords of addresses as Go's MySQL driver has them:
// user:password@tcp(host)/database.
func sourceNames(s string) []span {
	var spans []span
	for at := 0; ; {
		i := strings.Index(s[at:], "@tcp(")
		if i < 0 {
			return spans
		}
		end := at + i
		start := max(at, end-maxUserInfo)
		start += strings.LastIndexAny(s[start:end], " \t\n\"'`=") + 1
		if colon := strings.IndexByte(s[start:end], ':'); colon > 0 && isPassword(s[start+colon+1:end]) {
			spans = append(spans, span{start + colon + 1, end, kindURL})
		}
		at = end + 1
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
