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
	if v.weak {
		return v.variable() && v.tight && len(v.text) >= 20 && isRandom(v.text) && !strings.ContainsAny(v.text, "/:") && !isUUID(v.text)
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
	digits, _, _ := countKinds(v.text)
	switch {
	case v.kind != kindPassword || v.relation == told || v.relation == beside:
		return false
	case hasSuffixFold(v.name, "phrase") || hasSuffixFold(v.name, "mnemonic") || hasSuffixFold(v.name, "psk"):
		return len(words) >= 3 && len(words) <= 24 && v.text == strings.ToLower(v.text)
	case isAppPassword(v.text):
		return true
	case v.variable() && v.tight && digits > 0:
		return len(words) <= 5 // a message would not be kept in PGPASSWORD
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
		return digits > 0 && letters > 0 && len(s) >= 6 && !isTerm(s) && (v.relation == told || v.quoted || isRandom(s) || strings.ContainsAny(s, "!@#$%^&*"))
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
	if strings.ContainsAny(v.text, "!@#$%^&*+=?") {
		return false // in no name
	}
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
		if part == "" || isDigit(part[0]) || !isWordy(part) && strings.Count(part, "_") < 2 {
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
