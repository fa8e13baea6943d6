package settings

import (
	"slices"
	"strings"
)

// Words returns the words of a hook's command line, the program first, without
// quotes and with variables as they stand. A command for the shell that is more
// than one program and its arguments is not plain.
func Words(h Hook) (words []string, plain bool) {
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

// splitWords splits as a shell does. A backslash counts only before what needs
// one: paths of Windows have them too.
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

// MemctlHook returns the hook of memctl that a command line runs, by the name it
// has there, and the program that runs it.
func MemctlHook(words []string) (program, hook string, ok bool) {
	at := slices.IndexFunc(words, isMemctl)
	if at < 0 {
		return "", "", false
	}
	for i := at + 1; i+1 < len(words); i++ {
		if words[i] == "hook" {
			return words[at], words[i+1], true
		}
	}
	return "", "", false
}

func isMemctl(word string) bool {
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == "memctl"
}
