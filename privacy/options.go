package privacy

import (
	"encoding/base64"
	"strings"
)

// optionsOf lists the short options of a command that take a password.
func optionsOf(command string) (options string, ok bool) {
	switch command {
	case "mysql", "mysqldump", "mysqladmin", "mariadb", "sshpass", "docker", "podman", "helm", "mongo", "mongosh", "az", "oc", "cqlsh", "security", "7z":
		return "p", true
	case "sqlcmd", "ipmitool", "zip", "unzip":
		return "P", true
	case "redis-cli":
		return "a", true
	case "ldapsearch":
		return "w", true
	case "openssl":
		return "k", true
	case "ssh-keygen":
		return "N", true
	case "snmpwalk", "snmpget", "snmpset", "snmpbulkwalk":
		return "AX", true
	case "curl", "wget", "mkdir": // theirs are others
		return "", true
	}
	return "", false
}

// option looks at a short option of a command that takes a secret.
func (n *namer) option(at int) int {
	if n.command == "" || at+2 >= len(n.s) {
		return at + 1
	}
	if n.command == "curl" || n.command == "wget" {
		switch rest := n.s[at:]; {
		case rest[1] == 'u':
			return n.userOption(at + 2)
		case strings.HasPrefix(rest, "--user ") && n.command == "curl":
			return n.userOption(at + len("--user "))
		}
	}
	if options, _ := optionsOf(n.command); strings.IndexByte(options, n.s[at+1]) < 0 {
		return at + 1
	}
	v := value{kind: kindPassword, relation: option}
	v.find(n.s, at, at+2)
	digits, letters, _ := countKinds(v.text)
	if strings.IndexByte(v.text, ':') >= 0 || digits == 0 || letters == 0 || len(v.text) < 6 || isPlaceholder(v.text) || isReference(v.text) || !v.quoted && isCode(v.text) {
		return at + 1
	}
	return n.add(v)
}

// userOption takes the password of user:password.
func (n *namer) userOption(at int) int {
	v := value{kind: kindPassword, relation: option}
	v.find(n.s, at, at)
	colon := strings.IndexByte(v.text, ':')
	if colon <= 0 || isReference(v.text[:colon]) {
		return at
	}
	v.start += colon + 1
	v.text = v.text[colon+1:]
	if v.start >= v.end || !isPassword(v.text) || isReference(v.text) {
		return at
	}
	return n.add(v)
}

// schemeValue reads what follows the name of a scheme of HTTP authorization, and
// the same credentials in the settings of docker and npm.
func schemeValue(s, name string, end int) (v value, ok bool) {
	v = value{relation: beside, start: end}
	between := " \t"
	switch len(name) {
	default:
		return v, false
	case len("bearer"):
		v.kind, ok = kindBearer, strings.EqualFold(name, "bearer")
	case len("basic"), len("auth"):
		v.kind, ok = kindBasic, strings.EqualFold(name, "basic")
		if name == "auth" || name == "_auth" {
			between, ok = " \t\\\"':=", true
		}
	}
	for n := 0; ok && v.start < len(s) && n < 8 && strings.IndexByte(between, s[v.start]) >= 0; n++ {
		v.start++
	}
	if v.start == end {
		return v, false
	}
	v.end = credentialsEnd(s, v.start, maxJudged)
	if v.text = s[v.start:v.end]; v.kind == kindBasic {
		ok = isBasic(v.text) || name != "auth" && len(v.text) >= 16 && isRandom(v.text) // cut off, perhaps
	} else {
		ok = len(v.text) >= 16 && isRandom(v.text) && !isPlaceholder(v.text)
	}
	if ok && v.end-v.start == maxJudged {
		v.end = credentialsEnd(s, v.start, len(s))
	}
	return v, ok
}

// credentialsEnd is where credentials end that start at a place, or their limit.
func credentialsEnd(s string, at, limit int) int {
	end := at
	for end < len(s) && end-at < limit && (isWord(s[end]) || strings.IndexByte("-.~+/", s[end]) >= 0) {
		end++
	}
	for end < len(s) && end-at < limit && s[end] == '=' {
		end++
	}
	for end > at && s[end-1] == '.' {
		end--
	}
	return end
}

// isBasic tells user:password in base64.
func isBasic(s string) bool {
	if len(s) < 8 {
		return false
	}
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return false
	}
	user, _, ok := strings.Cut(string(decoded), ":")
	return ok && user != "" && strings.IndexFunc(string(decoded), func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
