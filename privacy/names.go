package privacy

import "strings"

// suffix is how the name of a secret ends, in lower case and without separators.
type suffix struct {
	word, kind string
	whole      bool // it has to be a word of its own
}

// suffixes by their last letter.
func suffixes(last byte) []suffix {
	switch last {
	case 'y':
		return keySuffixes
	case 'd':
		return suffixesD
	case 'e':
		return suffixesE
	case 's':
		return suffixesS
	case 't':
		return suffixesT
	case 'n':
		return suffixesN
	case 'c', 'g', 'h', 'k', 'w':
		return suffixesRare
	}
	return nil
}

var (
	suffixesD    = []suffix{{"password", kindPassword, false}, {"passwd", kindPassword, false}, {"pwd", kindPassword, false}, {"jsessionid", kindCookie, true}, {"phpsessid", kindCookie, true}}
	suffixesE    = []suffix{{"passphrase", kindPassword, false}, {"seedphrase", kindPassword, false}, {"passcode", kindPassword, false}}
	suffixesS    = []suffix{{"pass", kindPassword, true}, {"requirepass", kindPassword, true}, {"storepass", kindPassword, true}, {"keypass", kindPassword, true}}
	suffixesT    = []suffix{{"secret", kindSecret, false}, {"passwort", kindPassword, true}}
	suffixesN    = []suffix{{"token", kindToken, false}}
	suffixesRare = []suffix{{"sig", kindSecret, true}, {"mnemonic", kindPassword, true}, {"masterauth", kindPassword, true}, {"pw", kindPassword, true}, {"psk", kindPassword, true}}
)

// keySuffixes tell keys that are secret from those of maps and tables.
var keySuffixes = []suffix{
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

// otherKeys are what a variable that ends in KEY may well hold instead of a secret.
var otherKeys = []string{"PUBLIC", "PUB", "CACHE", "PRIMARY", "FOREIGN", "SORT", "PARTITION", "IDEMPOTENCY", "OBJECT", "HASH", "HOST", "LOOKUP", "STORE"}

// isSomeKey tells a variable that may hold a key or a personal access token:
// AIRTABLE_KEY, DEVOPS_PAT.
func isSomeKey(name string) bool {
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

// endings are words that may follow the word that tells: SECRET_KEY_BASE.
var endings = []string{"prod", "production", "dev", "development", "test", "staging", "stage", "live", "old", "new", "current", "default", "base", "value", "b64", "base64"}

// kindOfName returns the kind of secret that a name stands for, "" for none.
func kindOfName(name string) string {
	name = withoutEnding(name)
	if name == "" {
		return ""
	}
	for _, s := range suffixes(name[len(name)-1] | 0x20) {
		if start, ok := endsIn(name, s.word); ok && (!s.whole || startsPart(name, start)) {
			return s.kind
		}
	}
	return ""
}

// kindOfWords is kindOfName for the last of several words.
func kindOfWords(before, name string) string {
	switch {
	case strings.EqualFold(name, "by") && hasSuffixFold(before, "identified"):
		return kindPassword
	case strings.EqualFold(name, "key"):
		return kindOfName(before[strings.LastIndexByte(before, ' ')+1:] + "key")
	}
	return ""
}

func withoutEnding(name string) string {
	for name != "" && !isLetter(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	at := len(name) - 1
	for at > 0 && isLetter(name[at]) {
		at--
	}
	if at <= 0 || name[at] == '.' {
		return name
	}
	for _, ending := range endings {
		if strings.EqualFold(name[at+1:], ending) {
			return name[:at]
		}
	}
	return name
}

// endsIn tells whether a name ends in a word of lower case, whatever separators
// stand between, and where that begins.
func endsIn(name, word string) (start int, ok bool) {
	i := len(name)
	for j := len(word) - 1; j >= 0; j-- {
		for i--; i >= 0 && (name[i] == '_' || name[i] == '-' || name[i] == '.'); i-- {
		}
		if i < 0 || name[i]|0x20 != word[j] {
			return 0, false
		}
	}
	return i, true
}

// startsPart tells whether a part of a name starts there: db_pass, dbPass.
func startsPart(name string, at int) bool {
	if at == 0 || !isLetter(name[at-1]) {
		return true
	}
	return isUpper(name[at]) && !isUpper(name[at-1])
}

// isCapitals tells DB_PASSWORD from dbPassword.
func isCapitals(name string) bool {
	for i := range len(name) {
		if isLetter(name[i]) && !isUpper(name[i]) {
			return false
		}
	}
	return true
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
