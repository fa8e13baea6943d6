package privacy

import "strings"

// maxCookies bounds what is looked at of one header.
const maxCookies = 4096

// cookies finds what browsers and servers know each other by: random values in a
// Cookie or Set-Cookie header, whatever their names.
func cookies(s string) []span {
	var spans []span
	for at := 0; ; {
		i := strings.Index(s[at:], "ookie")
		if i < 0 {
			return spans
		}
		start := at + i
		at = start + len("ookie")
		sign := at
		for at < len(s) && at-sign < 6 && strings.IndexByte("\\\"': ", s[at]) >= 0 {
			at++
		}
		if start == 0 || s[start-1]|0x20 != 'c' || strings.IndexByte(s[sign:at], ':') < 0 {
			continue
		}
		line := s[at:min(len(s), at+maxCookies)]
		if end := strings.IndexAny(line, "\r\n\"'`"); end >= 0 {
			line = line[:end]
		}
		spans = append(spans, cookieValues(line, at)...)
		at += len(line)
	}
}

// cookieValues reads the name=value pairs of a header that stands at a place.
func cookieValues(line string, at int) []span {
	var spans []span
	for pair := range strings.SplitSeq(line, ";") {
		if i := strings.IndexByte(pair, '='); i > 0 && isCookieSecret(pair[i+1:]) {
			spans = append(spans, span{at + i + 1, at + len(pair), kindCookie})
		}
		at += len(pair) + 1
	}
	return spans
}

func isCookieSecret(value string) bool {
	return len(value) >= 16 && isRandom(value) && !isPlaceholder(value) && !isReference(value) && strings.IndexByte(value, ' ') < 0
}
