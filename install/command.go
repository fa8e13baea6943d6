package install

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Name is the hook that the command runs as "memctl hook NAME", with memctl from any
// folder. It is "" for other commands, and for a line that says anything more, unless
// install wrote the line.
func (h Hook) Name() string {
	words, simple := h.words()
	if !simple || len(words) < 3 || !isMemctl(words[0]) || words[1] != "hook" {
		return ""
	}
	_, name, more := hookWords(words[2:])
	if len(more) > 0 && !h.IsCurrent() {
		return ""
	}
	return name
}

// Client is the name of the client that the command answers.
func (h Hook) Client() string {
	words, simple := h.words()
	if !simple || len(words) < 3 {
		return ""
	}
	client, _, _ := hookWords(words[2:])
	return client
}

// hookWords reads what follows "memctl hook": a client, if it is named first, the hook,
// and more arguments.
func hookWords(words []string) (client, name string, more []string) {
	client = ClaudeCode
	if len(words) > 1 && words[0] == "--client" {
		client, words = words[1], words[2:]
	}
	if len(words) == 0 {
		return client, "", nil
	}
	return client, words[0], words[1:]
}

// Memctl looks for "memctl hook NAME" anywhere in the command, also between other
// flags and commands. It returns the program as it is written, with variables; "" if
// a shell has to find out.
func (h Hook) Memctl() (program, name string, ok bool) {
	words, simple := h.words()
	at := slices.IndexFunc(words, isMemctl)
	if at < 0 {
		return "", "", false
	}
	if simple {
		program = words[at]
	}
	words = words[at+1:]
	hook := slices.Index(words, "hook")
	if hook < 0 {
		return "", "", false
	}
	_, name, _ = hookWords(words[hook+1:])
	if name == "" {
		return "", "", false
	}
	return program, name, true
}

// words are the program and its arguments, without quotes. A shell line that does more
// than run one program is not simple.
func (h Hook) words() (words []string, simple bool) {
	line := h.Command
	if h.IsCurrent() {
		line = strings.TrimSuffix(strings.TrimPrefix(line, lineStart), lineEnd)
	}
	if strings.ContainsAny(quoted().ReplaceAllString(line, ""), "|&;<>()`\n") {
		return strings.Fields(line), false
	}
	words = splitWords(line)
	for len(words) > 1 && (words[0] == "exec" || isAssignment(words[0])) {
		words = words[1:]
	}
	return words, true
}

func isAssignment(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && name != "" && !strings.ContainsAny(name, `/\.`)
}

// The words of a line as a shell finds them. A backslash escapes only blanks and quotes,
// because paths of Windows have backslashes too.
var (
	word   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`("[^"]*"|'[^']*'|\\[ "']|[^\s"'])+`) })
	quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]*)"|'([^']*)'|\\([ "'])`) })
)

func splitWords(line string) []string {
	words := word().FindAllString(line, -1)
	for i := range words {
		words[i] = quoted().ReplaceAllString(words[i], "$1$2$3")
	}
	return words
}

// isMemctl reports whether a word runs memctl, from any folder.
func isMemctl(word string) bool {
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == "memctl"
}
