package install

import (
	"slices"
	"strings"
)

// Name is the hook that the command runs as "memctl hook NAME", with memctl from any
// folder. It is "" for other commands, and for a shell line that says anything more.
func (h Hook) Name() string {
	words, simple := h.words()
	if !simple || len(words) < 3 || len(h.Args) == 0 && len(words) > 3 {
		return ""
	}
	if !isProgram(words[0], "memctl") || words[1] != "hook" || strings.Trim(words[2], nameLetters) != "" {
		return ""
	}
	return words[2]
}

const nameLetters = "abcdefghijklmnopqrstuvwxyz-"

// Memctl looks for "memctl hook NAME" anywhere in the command, also between other
// flags and commands. It returns the program as it is written, with variables; "" if
// a shell has to find out.
func (h Hook) Memctl() (program, name string, ok bool) {
	words, simple := h.words()
	at := slices.IndexFunc(words, func(word string) bool { return isProgram(word, "memctl") })
	if at < 0 {
		return "", "", false
	}
	if simple {
		program = words[at]
	}
	for i := at + 1; i+1 < len(words); i++ {
		if words[i] == "hook" {
			return program, words[i+1], true
		}
	}
	return "", "", false
}

// words are the program and its arguments, without quotes. A shell line that does more
// than run one program is not simple.
func (h Hook) words() (words []string, simple bool) {
	if len(h.Args) > 0 {
		return append([]string{h.Command}, h.Args...), true
	}
	if strings.ContainsAny(h.Command, "|&;<>()`\n") || strings.Contains(h.Command, "$(") {
		return strings.Fields(h.Command), false
	}
	words = splitWords(h.Command)
	for len(words) > 1 && (words[0] == "exec" || isAssignment(words[0])) {
		words = words[1:]
	}
	return words, true
}

func isAssignment(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && name != "" && !strings.ContainsAny(name, `/\.`)
}

// splitWords splits a line as a shell does. A backslash escapes only characters that
// need it, because paths of Windows have backslashes too.
func splitWords(line string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	started, escaped := false, false
	for i, r := range line {
		switch {
		case escaped:
			escaped = false
			word.WriteRune(r)
		case r == '\\' && quote != '\'' && strings.ContainsAny(line[i+1:min(i+2, len(line))], ` "'\$`):
			escaped, started = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, started = r, true
		case r == ' ' || r == '\t':
			if started {
				words = append(words, word.String())
				word.Reset()
			}
			started = false
		default:
			started = true
			word.WriteRune(r)
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words
}

// isProgram reports whether a word runs the program of a name, from any folder.
func isProgram(word, name string) bool {
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == name
}
