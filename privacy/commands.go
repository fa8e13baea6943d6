package privacy

import (
	"strings"
	"sync"
)

// passwordOptions has the short options of a command that take a password. The commands
// without any have options of other meanings, which shortOption must know.
var passwordOptions = sync.OnceValue(func() map[string]string {
	byCommand := map[string]string{}
	for _, row := range rules()["command"] {
		columns := strings.Fields(row)
		for _, command := range columns[1:] {
			byCommand[command] = strings.Trim(columns[0], "-")
		}
	}
	return byCommand
})

// shortOption judges the argument of a short option and returns where to go on.
func (n *nameScanner) shortOption(at int) int {
	s := n.text
	if n.command == "" || at+2 >= len(s) {
		return at + 1
	}
	switch {
	case (n.command == "curl" || n.command == "wget") && s[at+1] == 'u':
		return n.userOption(at + len("-u"))
	case n.command == "curl" && strings.HasPrefix(s[at:], "--user "):
		return n.userOption(at + len("--user "))
	}
	if strings.IndexByte(passwordOptions()[n.command], s[at+1]) < 0 {
		return at + 1
	}
	c := argument(s, at+2)
	if !isMixed(c.value) || len(c.value) < 6 || strings.Contains(c.value, ":") ||
		isStandIn(c.value) || !c.quoted && isExpression(c.value) {
		return at + 1
	}
	return n.add(c.finding())
}

// userOption adds the password of user:password.
func (n *nameScanner) userOption(at int) int {
	c := argument(n.text, at)
	user, password, _ := strings.Cut(c.value, ":")
	if user == "" || isReference(user) || !isCredential(password) || isReference(password) {
		return at
	}
	c.start += len(user) + 1
	return n.add(c.finding())
}

// argument reads the argument of an option at an index.
func argument(s string, at int) candidate {
	c := candidate{text: s, kind: kindPassword, relation: option}
	c.readValue(at)
	return c
}

// pipedPasswords finds passwords that are echoed into a pipe: echo x | docker login
// --password-stdin.
func pipedPasswords(s string) []finding {
	const maxPipe = 512 // bytes between the echo and the reader
	var findings []finding
	for _, reader := range rules()["stdin"] {
		after := 0
		for at := range occurrences(s, reader) {
			start := max(after, at-maxPipe)
			if c, ok := echoed(s[start:at]); ok {
				if reader == "chpasswd" { // user:password
					c.start += strings.Index(c.text[c.start:c.end], ":") + 1
				}
				findings = append(findings, finding{start + c.start, start + c.end, kindPassword})
			}
			after = at + len(reader)
		}
	}
	return findings
}

// echoed returns what the last echo of the last line prints into a pipe. Its text
// ends with the pipe.
func echoed(s string) (c candidate, ok bool) {
	echo := max(strings.LastIndex(s, "echo "), strings.LastIndex(s, "printf "))
	pipe := strings.LastIndex(s, "|")
	if echo <= strings.LastIndex(s, "\n") || pipe < echo {
		return c, false
	}
	at := echo + strings.Index(s[echo:], " ")
	for word := range strings.FieldsSeq(s[at:pipe]) {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "%s") {
			break
		}
		at += strings.Index(s[at:], word) + len(word)
	}
	c = argument(s[:pipe], at)
	return c, c.value != "" && !isStandIn(c.value) && (c.quoted && c.value[0] != '$' || !isExpression(c.value))
}
