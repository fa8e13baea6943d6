package privacy

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// nameScanner walks through a text word by word and judges what follows the key
// names of secrets.
type nameScanner struct {
	text     string
	command  string // the last command on the line that takes a password
	findings []finding
}

// namedSecrets finds secrets by their key names: in assignments, settings, headers,
// options and sentences.
func namedSecrets(s string) []finding {
	n := nameScanner{text: s}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isWord(c):
			i = n.word(i)
		case c == '-' && (i == 0 || isBlank(s[i-1]) || s[i-1] == '\n'):
			i = n.shortOption(i)
		case c >= 0xE3:
			i = n.foreignName(i)
		case c == '\n' && (i == 0 || s[i-1] != '\\'), c == '|', c == ';':
			n.command = ""
			i++
		default:
			i++
		}
	}
	return n.findings
}

// word judges what follows the word at an index and returns where to go on.
func (n *nameScanner) word(start int) int {
	const maxName = 64 // the end of a long name decides
	s, end := n.text, start
	for end < len(s) && (isWord(s[end]) || isSeparator(s, end)) {
		end++
	}
	name := s[max(start, end-maxName):end]
	if _, ok := passwordOptions()[name]; ok {
		n.command = name
	}
	if f, ok := authorization(s, name, end); ok {
		return n.add(f)
	}
	kind := kindOfName(name)
	if kind == "" && len(name) <= len("key") {
		kind = kindOfPhrase(strings.TrimRight(s[max(0, start-16):start], " "), name)
	}
	ambiguous := kind == "" && isAmbiguousKey(name)
	if ambiguous {
		kind = kindAPIKey
	}
	if kind == "" {
		return end
	}
	c := candidate{
		text: s, kind: kind, keyName: name, nameStart: start, nameEnd: end,
		capitals: isCapitals(name), ambiguousName: ambiguous,
	}
	c.findValue()
	return n.judge(c, end)
}

// isSeparator reports whether a hyphen or a dot stands within a name.
func isSeparator(s string, i int) bool {
	return (s[i] == '-' || s[i] == '.') && i > 0 && isWord(s[i-1]) && i+1 < len(s) && isWord(s[i+1])
}

// foreignName judges what follows a key name of the table foreign, as in a sentence.
func (n *nameScanner) foreignName(start int) int {
	for _, row := range rules()["foreign"] {
		kind, name, _ := strings.Cut(row, " ")
		if strings.HasPrefix(n.text[start:], name) {
			end := start + len(name)
			c := candidate{text: n.text, kind: kind, keyName: name, nameStart: start, nameEnd: end}
			c.readStated(afterRemark(n.text, end))
			return n.judge(c, end)
		}
	}
	_, size := utf8.DecodeRuneInString(n.text[start:])
	return start + size
}

// judge adds a candidate that is a secret and returns where to go on. A long value
// is not scanned for names, so that the work stays linear.
func (n *nameScanner) judge(c candidate, nameEnd int) int {
	switch {
	case c.start < c.end && c.isSecret():
		if c.truncated {
			c.end = c.unquotedEnd(c.end, len(c.text))
		}
		return n.add(c.finding())
	case c.truncated:
		return c.end
	}
	return nameEnd
}

func (c *candidate) finding() finding { return finding{c.start, c.end, c.kind} }

func (n *nameScanner) add(f finding) int {
	n.findings = append(n.findings, f)
	return f.end
}

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
