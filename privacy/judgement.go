package privacy

import (
	"slices"
	"strings"
)

// isSecret judges a candidate by its value and its context. A key name alone
// proves nothing: in source code most values are variables.
func (c *candidate) isSecret() bool {
	value := c.value
	switch {
	case value == "" || isStandIn(value) || !c.quoted && isExpression(value):
		return false
	case c.compared && !(c.quoted && isRandom(value)):
		return false
	case strings.ContainsAny(value, " \t"):
		return c.isPassphrase()
	case c.ambiguousName:
		return c.isEnvironment() && c.adjacent && len(value) >= 20 && isRandom(value) &&
			!strings.ContainsAny(value, "/:") && !isUUID(value)
	case c.kind == kindPassword:
		return c.isPassword()
	case c.isKeyName():
		return false
	case c.relation == sameLine || c.relation == option:
		return isRandom(value) && len(value) >= 10
	}
	return isRandom(value) || c.isEnvironment() && len(value) >= 16
}

// isEnvironment reports whether name and value stand as NAME=value, as in a shell
// or a .env file. Source code is not written like that.
func (c *candidate) isEnvironment() bool {
	return c.capitals && c.relation == assigned && (c.adjacent || c.quoted) && !c.argument
}

// isPassphrase judges a quoted value of several words.
func (c *candidate) isPassphrase() bool {
	words := strings.Fields(c.value)
	digits, _, _ := countKinds(c.value)
	switch {
	case c.kind != kindPassword || c.relation == stated || c.relation == sameLine:
		return false
	case hasSuffixFold(c.keyName, "phrase") || hasSuffixFold(c.keyName, "mnemonic") || hasSuffixFold(c.keyName, "psk"):
		return len(words) >= 3 && len(words) <= 24 && c.value == strings.ToLower(c.value)
	case isAppPassword(c.value):
		return true
	case c.isEnvironment() && c.adjacent && digits > 0:
		return len(words) <= 5 // PGPASSWORD does not hold a sentence
	}
	return len(words) <= 3 && slices.ContainsFunc(words, func(w string) bool {
		return len(w) >= 6 && isMixed(w) && !isAlgorithm(w)
	})
}

func (c *candidate) isPassword() bool {
	s := c.value
	digits, letters, others := countKinds(s)
	switch {
	case digits+letters < 3 || len(s) < 4:
		return false
	case c.relation == stated || c.relation == sameLine:
		return digits > 0 && letters > 0 && len(s) >= 6 && !isAlgorithm(s) &&
			(c.relation == stated || c.quoted || isRandom(s) || strings.ContainsAny(s, "!@#$%^&*"))
	case letters == 0 && others == 0:
		return len(s) >= 6 || c.quoted || c.isEnvironment()
	case digits > 0 || others > 0 && !isWordy(s):
		return !c.isKeyName() && (c.quoted || !isIdentifier(s) || len(s) >= 6)
	}
	return c.isWordPassword()
}

// isWordPassword judges a password of letters alone. It counts only where a
// variable, a type or a label would not stand.
func (c *candidate) isWordPassword() bool {
	s := c.value
	switch capitalised := isUpper(s[0]) && s[1:] == strings.ToLower(s[1:]); {
	case c.isKeyName() || isKeyword(s) || hasForeignScript(s):
		return false
	case c.isEnvironment():
		return true
	case capitalised:
		return false
	case c.quoted:
		return true
	case c.relation == mapped:
		return c.wholeLine && !strings.HasSuffix(s, "(")
	}
	return c.relation == assigned && c.adjacent && !c.argument
}

// isKeyName reports whether the value is itself the name of a secret, as in
// "password: db-password" or "password2".
func (c *candidate) isKeyName() bool {
	if strings.ContainsAny(c.value, "!@#$%^&*+=?") {
		return false
	}
	digits, _, others := countKinds(c.value)
	if c.isLiteral() && others == 0 && hasDigitWithin(c.value) {
		return false
	}
	variable := !c.quoted && !c.isEnvironment() && others == strings.Count(c.value, ".")
	if digits > 2 && !variable || digits > 5 || others > 3 || isDigit(c.value[0]) {
		return false
	}
	return kindOfName(c.value) != "" || hasSuffixFold(c.value, "credentials") || hasSuffixFold(c.value, "secrets")
}

// isLiteral reports whether the value of a password stands where no variable would.
func (c *candidate) isLiteral() bool {
	return c.kind == kindPassword && !c.argument && (c.isEnvironment() || c.quoted || c.relation == mapped &&
		c.wholeLine)
}

// hasDigitWithin reports whether a value is a word, a few digits and the name of a secret, as hunter2secret. The short
// words and the protocols before a digit are names: db2password, oauth2token.
func hasDigitWithin(s string) bool {
	const shortest = 4
	word := skip(s, 0, letterChars)
	rest := skip(s, word, digitChars)
	return word >= shortest && word < rest && rest < len(s) && consistsOf(s[rest:], lowerChars) &&
		!hasSuffixFold(s[:word], "auth") && !hasSuffixFold(s[:word], "base")
}

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
