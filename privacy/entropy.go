package privacy

import "strings"

// isRandom reports whether a value looks generated: letters and digits in no
// order, or letters that make no words.
func isRandom(s string) bool {
	return len(s) >= 8 && !isWordy(s) && !isAlgorithm(s) && !hasForeignScript(s)
}

// isWordy reports whether a value consists of words, short numbers and signs
// between them.
func isWordy(s string) bool {
	for s != "" {
		end := skip(s, 0, letterChars+digitChars)
		if !isWordLike(s[:end]) {
			return false
		}
		s = s[min(end+1, len(s)):]
	}
	return true
}

// isWordLike accepts words in regular case with at most two digits at the end,
// and numbers of at most four digits.
func isWordLike(s string) bool {
	word := strings.TrimRight(s, digitChars)
	if word == "" {
		return len(s) <= 4
	}
	if len(s)-len(word) > 2 || strings.ContainsAny(word, digitChars) {
		return false
	}
	rises, vowels := 0, 0
	for i := range len(word) {
		if i > 0 && isUpper(word[i]) && !isUpper(word[i-1]) {
			rises++
		}
		if strings.IndexByte("aeiouAEIOU", word[i]) >= 0 {
			vowels++
		}
	}
	return len(word) < 16 || rises*5 <= len(word) && vowels*4 >= len(word)
}

// isMixed reports whether a value has both digits and letters.
func isMixed(s string) bool {
	digits, letters, _ := countKinds(s)
	return digits > 0 && letters > 0
}

func countKinds(s string) (digits, letters, others int) {
	for i := range len(s) {
		switch {
		case isDigit(s[i]):
			digits++
		case isLetter(s[i]) || s[i] >= 128:
			letters++
		default:
			others++
		}
	}
	return digits, letters, others
}

// hasForeignScript reports whether a value is text in a script other than Latin,
// perhaps escaped: a label, not a password.
func hasForeignScript(s string) bool {
	return strings.HasPrefix(s, `\u`) || strings.ContainsFunc(s, func(r rune) bool { return r >= 0x250 })
}

// isUUID reports whether a value is a UUID, which is an id and no secret.
func isUUID(s string) bool {
	for i := range len(s) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (s[i] == '-') || !hyphen && !isHex(s[i]) {
			return false
		}
	}
	return len(s) == 36
}

const appPasswordLength = len("abcd efgh ijkl mnop")

// isAppPassword recognises the passwords that Google issues for mail programs:
// four groups of four letters. English words of four letters have vowels; such a
// group often has none.
func isAppPassword(s string) bool {
	if len(s) != appPasswordLength {
		return false
	}
	vowelless := false
	for group := range strings.SplitSeq(s, " ") {
		if len(group) != 4 || !consistsOf(group, lowerChars) {
			return false
		}
		vowelless = vowelless || !strings.ContainsAny(group, "aeiouy")
	}
	return vowelless
}
