package privacy

import "strings"

// isRandom tells what no person makes up: letters and digits in no order, or
// letters that make no words.
func isRandom(s string) bool {
	return len(s) >= 8 && !isWordy(s) && !isTerm(s) && !hasForeign(s)
}

// isWordy tells a value made of words, short numbers and signs between them.
func isWordy(s string) bool {
	for len(s) > 0 {
		end := 0
		for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
			end++
		}
		if !isWordLike(s[:end]) {
			return false
		}
		s = s[min(end+1, len(s)):]
	}
	return true
}

// isWordLike takes words in regular case, with at most two digits at the end, and
// numbers of at most four.
func isWordLike(s string) bool {
	base := withoutDigits(s)
	if base == "" {
		return len(s) <= 4
	}
	if len(s)-len(base) > 2 {
		return false
	}
	rises, vowels := 0, 0
	for i := range len(base) {
		if isDigit(base[i]) {
			return false
		}
		if i > 0 && isUpper(base[i]) && !isUpper(base[i-1]) {
			rises++
		}
		if strings.IndexByte("aeiouAEIOU", base[i]) >= 0 {
			vowels++
		}
	}
	return len(base) < 16 || rises*5 <= len(base) && vowels*4 >= len(base)
}

func withoutDigits(s string) string {
	for s != "" && isDigit(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

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

// hasForeign tells text in another script, escaped perhaps: a label, no password.
func hasForeign(s string) bool {
	if strings.HasPrefix(s, `\u`) {
		return true
	}
	for _, r := range s {
		if r >= 0x250 {
			return true
		}
	}
	return false
}

// isUUID tells an id, which is no secret by itself.
func isUUID(s string) bool {
	for i := range len(s) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (s[i] == '-') || !hyphen && !isHex(s[i]) {
			return false
		}
	}
	return len(s) == 36
}

// isAppPassword tells what Google has mail programs log in with: four groups of four
// letters. Words of four letters have vowels, a group of these often has none.
func isAppPassword(s string) bool {
	if len(s) != appPassword {
		return false
	}
	vowelless := false
	for group := range strings.SplitSeq(s, " ") {
		if len(group) != 4 || strings.Trim(group, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
		vowelless = vowelless || !strings.ContainsAny(group, "aeiouy")
	}
	return vowelless
}

const appPassword = len("abcd efgh ijkl mnop")
