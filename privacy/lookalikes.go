package privacy

import (
	"slices"
	"strings"
)

// isIdentifier reports whether a value may be a variable: letters, then at most two
// digits.
func isIdentifier(s string) bool {
	name := strings.TrimRight(s, digitChars)
	return name != "" && len(s)-len(name) <= 2 && consistsOf(name, letterChars+"_")
}

// isExpression reports whether a value without quotes is an expression of a program.
func isExpression(s string) bool {
	if strings.IndexByte("$%{<&*|>(+?~^-[\\", s[0]) >= 0 || (s[0] == '!' || s[0] == '@') && !isMixed(s) {
		return !startsWithMarker(s)
	}
	for _, operator := range []string{"::", "->", "?.", "=>", "=="} {
		if _, operand, found := strings.Cut(s, operator); found && operand != "" {
			return true
		}
	}
	end := skip(s, 0, wordChars+".")
	if end < len(s) && end > 0 && strings.IndexByte("([{", s[end]) >= 0 {
		return !isDigit(s[0])
	}
	return end == len(s) && (strings.Contains(s, ".") && isMember(s) || isHexNumber(s))
}

// isHexNumber recognises 0x1F.
func isHexNumber(s string) bool {
	hex, ok := strings.CutPrefix(s, "0x")
	return ok && len(s) <= 18 && consistsOf(hex, digitChars+"abcdefABCDEF")
}

// isMember recognises a field of something: config.token.
func isMember(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || isDigit(part[0]) || !isWordy(part) && strings.Count(part, "_") < 2 {
			return false
		}
	}
	return true
}

var (
	references   = list("reference")
	placeholders = list("placeholder")
)

// isReference reports whether a value only says where a secret is: a path, an
// address, a variable.
func isReference(s string) bool {
	switch {
	case strings.Contains(s, "://") || hasAnyPrefix(s, references()):
		return true
	case s[0] == '$':
		return isIdentifier(s[1:])
	case s[0] == '{':
		return strings.HasSuffix(s, "}")
	case s[0] == '%':
		return strings.HasSuffix(s, "%")
	}
	return s[0] == '/' && isPath(s)
}

// isPath accepts an absolute path of at least two names, or of words.
func isPath(s string) bool {
	first, rest, _ := strings.Cut(s[1:], "/")
	return rest != "" && first == strings.ToLower(first) && isIdentifier(first) || isWordy(s)
}

// isPlaceholder reports whether a value stands in place of a secret.
func isPlaceholder(s string) bool {
	switch {
	case startsWithMarker(s):
		return s == RedactedMarker || s == PrivateMarker
	case strings.Trim(s, s[:1]) == "" || hasAnyPrefix(s, []string{"...", "…", "***"}):
		return true
	case len(s) >= 32 && isRandom(s):
		return false
	}
	lower := strings.ToLower(s)
	return slices.ContainsFunc(placeholders(), func(part string) bool { return strings.Contains(lower, part) })
}

// isStandIn reports whether a value is no secret itself: a placeholder, or a reference to
// one.
func isStandIn(s string) bool { return isPlaceholder(s) || isReference(s) }

func startsWithMarker(s string) bool {
	return strings.HasPrefix(s, RedactedMarker) || strings.HasPrefix(s, PrivateMarker)
}
