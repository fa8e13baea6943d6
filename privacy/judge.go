package privacy

import (
	"slices"
	"strings"
)

// isSecret judges a value by what it looks like and by where it stands. The name
// alone makes nothing secret: most tokens of source text are variables.
func (v *value) isSecret() bool {
	if v.text == "" || isPlaceholder(v.text) || isReference(v.text) || !v.quoted && isCode(v.text) {
		return false
	}
	if v.compared && !(v.quoted && isRandom(v.text)) {
		return false
	}
	if strings.ContainsAny(v.text, " \t") {
		return v.isPhrase()
	}
	if v.kind == kindPassword {
		return v.isPassword()
	}
	if v.namesAnother() {
		return false
	}
	if v.relation == beside || v.relation == option {
		return isRandom(v.text) && len(v.text) >= 10
	}
	return isRandom(v.text) || v.variable() && len(v.text) >= 16
}

// variable tells a line of a shell or of a .env file: NAME=value. Nobody writes
// code like that.
func (v *value) variable() bool {
	return v.upper && v.relation == assigned && (v.tight || v.quoted) && !v.argument
}

// isPhrase judges a quoted value of several words.
func (v *value) isPhrase() bool {
	words := strings.Fields(v.text)
	if v.kind != kindPassword || v.relation == told || v.relation == beside {
		return false
	}
	if hasSuffixFold(v.name, "phrase") || hasSuffixFold(v.name, "mnemonic") {
		return len(words) >= 3 && len(words) <= 24 && v.text == strings.ToLower(v.text)
	}
	return len(words) <= 3 && slices.ContainsFunc(words, func(w string) bool { return len(w) >= 6 && isMixed(w) && !isTerm(w) })
}

func (v *value) isPassword() bool {
	s := v.text
	digits, letters, others := countKinds(s)
	switch {
	case digits+letters < 3 || len(s) < 4:
		return false
	case v.relation == told || v.relation == beside:
		return digits > 0 && letters > 0 && len(s) >= 6 && !isTerm(s) && (v.relation == told || v.quoted || isRandom(s))
	case letters == 0 && others == 0:
		return len(s) >= 6 || v.quoted || v.variable()
	case digits > 0 || others > 0 && !isWordy(s):
		return !v.namesAnother() && (v.quoted || !isIdentifier(s) || len(s) >= 6)
	}
	return v.isPlainWord()
}

// isPlainWord judges a password of letters alone: it is one where a variable, a
// type or a label would not stand.
func (v *value) isPlainWord() bool {
	s := v.text
	if v.namesAnother() || isWordOfCode(s) || hasForeign(s) {
		return false
	}
	capitalised := isUpper(s[0]) && s[1:] == strings.ToLower(s[1:])
	switch {
	case v.variable():
		return true
	case capitalised:
		return false
	case v.quoted:
		return true
	case v.relation == mapped:
		return v.alone && !strings.HasSuffix(s, "(")
	}
	return v.relation == assigned && v.tight && !v.argument
}

// namesAnother tells a value that is itself the name of a secret: db-password,
// password2.
func (v *value) namesAnother() bool {
	digits, _, others := countKinds(v.text)
	variable := !v.quoted && !v.variable() && others == strings.Count(v.text, ".")
	if digits > 2 && !variable || digits > 5 || others > 3 || isDigit(v.text[0]) {
		return false
	}
	return kindOfName(v.text) != "" || hasSuffixFold(v.text, "credentials") || hasSuffixFold(v.text, "secrets")
}

// isIdentifier tells what may be a variable: letters and at most two digits after
// them.
func isIdentifier(s string) bool {
	base := withoutDigits(s)
	if len(s)-len(base) > 2 || base == "" || isDigit(base[0]) {
		return false
	}
	for i := range len(base) {
		if !isLetter(base[i]) && base[i] != '_' {
			return false
		}
	}
	return true
}

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

// isCode tells an expression of a program from a bare value.
func isCode(s string) bool {
	if strings.IndexByte("$%{<&*|>(+?~^-[\\", s[0]) >= 0 || (s[0] == '!' || s[0] == '@') && !isMixed(s) {
		return !isMarked(s)
	}
	for _, sign := range []string{"::", "->", "?.", "=>", "=="} {
		if i := strings.Index(s, sign); i >= 0 && i+len(sign) < len(s) {
			return true
		}
	}
	end := 0
	for end < len(s) && (isWord(s[end]) || s[end] == '.') {
		end++
	}
	if end < len(s) && end > 0 && strings.IndexByte("([{", s[end]) >= 0 {
		return !isDigit(s[0])
	}
	return end == len(s) && (strings.IndexByte(s, '.') >= 0 && isMember(s) || isNumber(s))
}

// isNumber tells a number of a program: 0x1F.
func isNumber(s string) bool {
	if len(s) > 18 || !strings.HasPrefix(s, "0x") {
		return false
	}
	for i := 2; i < len(s); i++ {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

// isMarked tells a marker with something after it.
func isMarked(s string) bool {
	return strings.HasPrefix(s, RedactedMarker) || strings.HasPrefix(s, PrivateMarker)
}

// isMember tells a field of something: config.token.
func isMember(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || isDigit(part[0]) || !isWordy(part) {
			return false
		}
	}
	return true
}

// referenceStarts begin what is no secret itself; their first letters stand in
// isReference too.
var referenceStarts = []string{
	"${", "$(", "{{", "%(", "#{", "<", "./", "../", "~/", "arn:", "file:", "env:", "vault:",
	"sha1:", "sha256:", "sha512-", "sha256-", "sha384-", "md5:",
	"$2a$", "$2b$", "$2y$", "$argon2", "$6$", "$5$", "{bcrypt}",
}

// isReference tells what says where a secret is: a path, an address, a variable.
func isReference(s string) bool {
	if strings.IndexByte("$%#{<./~aefmsv", s[0]) < 0 {
		return strings.Contains(s, "://")
	}
	for _, start := range referenceStarts {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	if strings.Contains(s, "://") || s[0] == '$' && isIdentifier(s[1:]) || s[0] == '{' && strings.HasSuffix(s, "}") {
		return true
	}
	if s[0] == '%' && strings.HasSuffix(s, "%") {
		return true
	}
	return s[0] == '/' && isPath(s)
}

// isPath takes at least two names of which the first is a word.
func isPath(s string) bool {
	first, rest, ok := strings.Cut(s[1:], "/")
	return ok && rest != "" && first == strings.ToLower(first) && isIdentifier(first) || isWordy(s)
}

// isPlaceholder tells what documents put where a secret would stand.
func isPlaceholder(s string) bool {
	if isMarked(s) {
		return s == RedactedMarker || s == PrivateMarker
	}
	if strings.Trim(s, s[:1]) == "" {
		return true
	}
	if strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…") || strings.HasPrefix(s, "***") {
		return true
	}
	if len(s) >= 32 && isRandom(s) {
		return false
	}
	lower := strings.ToLower(s)
	for _, word := range [...]string{"your", "changeme", "change_me", "change-me", "replace", "placeholder", "redacted", "insert", "xxxx", "todo"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
