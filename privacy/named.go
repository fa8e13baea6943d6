package privacy

import (
	"strings"
	"unicode/utf8"
)

// namer goes through a text word by word and looks at what follows the names of
// secrets.
type namer struct {
	s       string
	command string // the last command of the line that takes secrets
	spans   []span
}

// named finds secrets by the names beside them: assignments, settings, headers,
// flags, sentences.
func named(s string) []span {
	n := namer{s: s}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isWord(c):
			i = n.word(i)
		case c == '-' && (i == 0 || isBlank(s[i-1]) || s[i-1] == '\n'):
			i = n.option(i)
		case c >= 0xE3:
			i = n.foreign(i)
		case c == '\n' && (i == 0 || s[i-1] != '\\'), c == '|', c == ';':
			n.command = ""
			i++
		default:
			i++
		}
	}
	return n.spans
}

// maxName is how much of a name is looked at, from its end.
const maxName = 64

// word looks at the name that starts at a place, and returns where to go on.
func (n *namer) word(start int) int {
	end := start
	for end < len(n.s) && (isWord(n.s[end]) || isJoint(n.s, end)) {
		end++
	}
	name := n.s[max(start, end-maxName):end]
	if _, ok := optionsOf(name); ok {
		n.command = name
	}
	if v, ok := schemeValue(n.s, name, end); ok {
		return n.add(v)
	}
	kind := kindOfName(name)
	if kind == "" && len(name) <= len("key") {
		kind = kindOfWords(strings.TrimRight(n.s[max(0, start-16):start], " "), name)
	}
	weak := kind == "" && isSomeKey(name)
	if weak {
		kind = kindAPIKey
	}
	if kind == "" {
		return end
	}
	v := value{kind: kind, name: name, upper: isCapitals(name), weak: weak}
	v.read(n.s, start, end)
	return n.judge(v, end)
}

// judge adds a value that is a secret, and returns where to go on.
func (n *namer) judge(v value, after int) int {
	switch {
	case v.start < v.end && v.isSecret():
		if v.long {
			v.end = v.plainEnd(n.s, v.end, len(n.s))
		}
		return n.add(v)
	case v.long: // whatever it is, it is not looked at once more
		return v.end
	}
	return after
}

func (n *namer) add(v value) int {
	n.spans = append(n.spans, span{v.start, v.end, v.kind})
	return v.end
}

// isJoint tells a hyphen or a dot within a name.
func isJoint(s string, i int) bool {
	return (s[i] == '-' || s[i] == '.') && i > 0 && isWord(s[i-1]) && i+1 < len(s) && isWord(s[i+1])
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// foreign names of secrets. What follows them is read like an English sentence.
var foreign = []struct{ name, kind string }{
	{"비밀번호", kindPassword},
	{"패스워드", kindPassword},
	{"비번", kindPassword},
	{"암호", kindPassword},
	{"토큰", kindToken},
	{"시크릿", kindSecret},
	{"비밀키", kindSecret},
	{"비밀 키", kindSecret},
	{"API 키", kindAPIKey},
	{"인증키", kindAPIKey},
	{"키", kindAPIKey},
	{"パスワード", kindPassword},
	{"トークン", kindToken},
	{"密码", kindPassword},
	{"密碼", kindPassword},
}

func (n *namer) foreign(start int) int {
	for _, f := range foreign {
		if n.s[start] != f.name[0] || !strings.HasPrefix(n.s[start:], f.name) {
			continue
		}
		end := start + len(f.name)
		v := value{kind: f.kind, name: f.name}
		v.readSentence(n.s, afterRemark(n.s, end))
		return n.judge(v, end)
	}
	_, size := utf8.DecodeRuneInString(n.s[start:])
	return start + size
}

// afterRemark goes past what is said between a name and a colon, in the script of
// the name: 비밀번호 바꿨어요: x.
func afterRemark(s string, at int) int {
	remark := s[at:min(len(s), at+maxSubject)]
	end := strings.IndexFunc(remark, func(r rune) bool { return r < utf8.RuneSelf && r != ' ' })
	if end <= 0 || remark[end] != ':' {
		return at
	}
	return at + end
}
