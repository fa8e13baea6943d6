package privacy

import (
	"strings"
	"sync"
)

// keyNameRule is how the key name of a secret ends, in lower case and without
// separators.
type keyNameRule struct {
	suffix, kind string
	wholeWord    bool // matches only as a separate part: db_pass, dbPass, but not bypass
}

var keyNameRules = []keyNameRule{
	{"password", kindPassword, false},
	{"passwd", kindPassword, false},
	{"pwd", kindPassword, false},
	{"passphrase", kindPassword, false},
	{"seedphrase", kindPassword, false},
	{"passcode", kindPassword, false},
	{"pass", kindPassword, true},
	{"requirepass", kindPassword, true},
	{"storepass", kindPassword, true},
	{"keypass", kindPassword, true},
	{"passwort", kindPassword, true},
	{"mnemonic", kindPassword, true},
	{"masterauth", kindPassword, true},
	{"pw", kindPassword, true},
	{"psk", kindPassword, true},
	{"jsessionid", kindCookie, true},
	{"phpsessid", kindCookie, true},
	{"token", kindToken, false},
	{"secret", kindSecret, false},
	{"sig", kindSecret, true},
	// Keys of maps and tables are no secrets, so the word before "key" matters.
	{"apikey", kindAPIKey, false},
	{"accesskey", kindAPIKey, false},
	{"appkey", kindAPIKey, false},
	{"applicationkey", kindAPIKey, false},
	{"consumerkey", kindAPIKey, false},
	{"authkey", kindAPIKey, false},
	{"servicekey", kindAPIKey, false},
	{"servicerolekey", kindAPIKey, false},
	{"subscriptionkey", kindAPIKey, false},
	{"licensekey", kindAPIKey, false},
	{"deploykey", kindAPIKey, false},
	{"secretkey", kindSecret, false},
	{"privatekey", kindSecret, false},
	{"signingkey", kindSecret, false},
	{"encryptionkey", kindSecret, false},
	{"cryptkey", kindSecret, false},
	{"cipherkey", kindSecret, false},
	{"masterkey", kindSecret, false},
	{"accountkey", kindSecret, false},
	{"storagekey", kindSecret, false},
	{"sharedkey", kindSecret, false},
	{"sessionkey", kindSecret, false},
	{"hmackey", kindSecret, false},
	{"jwtkey", kindSecret, false},
	{"unsealkey", kindSecret, false},
	{"recoverykey", kindSecret, false},
}

// rulesByLastLetter spares most words all of the rules.
var rulesByLastLetter = sync.OnceValue(func() *[256][]keyNameRule {
	return groupBy(keyNameRules, func(r keyNameRule) byte { return r.suffix[len(r.suffix)-1] })
})

// kindOfName returns the kind of secret that a key name stands for, "" for none.
func kindOfName(name string) string {
	name = withoutQualifier(name)
	if name == "" {
		return ""
	}
	for _, rule := range rulesByLastLetter()[name[len(name)-1]|0x20] {
		if start, ok := suffixStart(name, rule.suffix); ok && (!rule.wholeWord || startsPart(name, start)) {
			return rule.kind
		}
	}
	return ""
}

// kindOfPhrase is kindOfName for the last of several words: identified by, api key.
func kindOfPhrase(before, name string) string {
	switch {
	case strings.EqualFold(name, "by") && hasSuffixFold(before, "identified"):
		return kindPassword
	case strings.EqualFold(name, "key"):
		return kindOfName(before[strings.LastIndexByte(before, ' ')+1:] + "key")
	}
	return ""
}

// qualifiers may follow the word that decides: SECRET_KEY_BASE.
var qualifiers = []string{"prod", "production", "dev", "development", "test", "staging", "stage", "live", "old", "new", "current", "default", "base", "value", "b64", "base64"}

func withoutQualifier(name string) string {
	for name != "" && !isLetter(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	separator := len(name) - 1
	for separator >= 0 && isLetter(name[separator]) {
		separator--
	}
	if separator <= 0 || name[separator] == '.' {
		return name
	}
	for _, qualifier := range qualifiers {
		if strings.EqualFold(name[separator+1:], qualifier) {
			return name[:separator]
		}
	}
	return name
}

// suffixStart reports whether a name ends in a suffix, whatever separators it has,
// and where that begins.
func suffixStart(name, suffix string) (start int, ok bool) {
	i := len(name)
	for j := len(suffix) - 1; j >= 0; j-- {
		for i--; i >= 0 && (name[i] == '_' || name[i] == '-' || name[i] == '.'); i-- {
		}
		if i < 0 || name[i]|0x20 != suffix[j] {
			return 0, false
		}
	}
	return i, true
}

// startsPart reports whether a part of a name starts at an index: db_pass, dbPass.
func startsPart(name string, at int) bool {
	return at == 0 || !isLetter(name[at-1]) || isUpper(name[at]) && !isUpper(name[at-1])
}

// otherKeys end variables whose KEY is hardly a secret.
var otherKeys = []string{"PUBLIC", "PUB", "CACHE", "PRIMARY", "FOREIGN", "SORT", "PARTITION", "IDEMPOTENCY", "OBJECT", "HASH", "HOST", "LOOKUP", "STORE"}

// isAmbiguousKey recognises variables that may hold a key or a personal access
// token: AIRTABLE_KEY, DEVOPS_PAT.
func isAmbiguousKey(name string) bool {
	before, ok := strings.CutSuffix(name, "_KEY")
	if !ok {
		before, ok = strings.CutSuffix(name, "_PAT")
	}
	if !ok || !isCapitals(before) {
		return false
	}
	for _, other := range otherKeys {
		if strings.HasSuffix(before, other) {
			return false
		}
	}
	return true
}

// isCapitals reports whether a name has no small letters.
func isCapitals(name string) bool { return !strings.ContainsAny(name, lowerChars) }
