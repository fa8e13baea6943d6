package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks at the beginning of a line that a program wrote.
var (
	outputPrefixes = []string{
		"$ ", "File \"", "Traceback (", "Caused by: ", "goroutine ", "+++ ", "index ", "npm ERR!", "npm WARN",
		"npm warn", "error: ", "fatal: ", "warning: ", "##[", "::",
	}
	outputLevels = []string{"ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL", "FAIL", "PASS"}
)

const (
	// drawn are characters with which programs begin lines: frames, results of tests.
	drawingChars = "|│┃├└┌╭╰─━═║╔╚⎯❯✓✔✗✘✕×●⎿■▶▲▼"
	// codeSigns are rare in prose.
	codeSigns = "{}[]()<>=;|\\$&+^~"
	// codeShare is the share of codeSigns, in hundredths, from which on a line is code.
	codeShare = 15
	// longestName is the longest word, in bytes, that is not encoded data.
	longestName = 60
)

// isOutput reports whether a program wrote a line: code, a log, a stack trace, a table.
func isOutput(line string) bool {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return false
	}
	begins := func(prefix string) bool { return strings.HasPrefix(trimmed, prefix) }
	first, rest, _ := strings.Cut(trimmed, " ")
	second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	start, _ := utf8.DecodeRuneInString(trimmed)
	return slices.ContainsFunc(outputPrefixes, begins) ||
		strings.ContainsRune(drawingChars, start) ||
		isIndented(line) ||
		isClock(first) || isClock(second) && !unicode.IsLetter(start) ||
		slices.Contains(outputLevels, strings.Trim(first, "[]():")) || isError(first) || isAssigned(first) ||
		first == "at" && strings.ContainsAny(rest, "/(") && strings.Contains(rest, ":") &&
			len(strings.Fields(rest)) < 4 ||
		strings.Contains(trimmed, ":  ") || // a name and its value, in columns
		len(first) > longestName && second == "" && first[0] < utf8.RuneSelf && !strings.Contains(first, "://") ||
		isCode(trimmed)
}

// isIndented reports whether a line is indented as code is, and no item of a list.
func isIndented(line string) bool {
	if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
		return false
	}
	item := strings.TrimLeft(line, " \t")
	mark := strings.TrimLeft(item, "-*+•0123456789.)")
	return mark == item || !strings.HasPrefix(mark, " ")
}

// isClock reports whether a word has a time of day with seconds, or opens a bracket with
// a date.
func isClock(word string) bool {
	digits, colons := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case r == ':':
			colons++
		}
	}
	return colons >= 2 && digits >= 5 && 2*(digits+colons) > len(word) ||
		strings.HasPrefix(word, "[") && digits >= 4 && 2*digits > len(word)
}

// isError reports whether a word announces an error: "TypeError:", "java.io.IOException:".
func isError(word string) bool {
	name, found := strings.CutSuffix(word, ":")
	return found && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isAssigned reports whether a word is an environment variable with its value or a colon.
func isAssigned(word string) bool {
	end := strings.IndexAny(word, ":=")
	return end > 3 && strings.Contains(word[:end], "_") && strings.ToUpper(word[:end]) == word[:end]
}

func isCode(line string) bool {
	signs, all := 0, 0
	for _, r := range line {
		if unicode.IsSpace(r) {
			continue
		}
		all++
		if strings.ContainsRune(codeSigns, r) {
			signs++
		}
	}
	last := line[len(line)-1]
	return 100*signs >= codeShare*all || last == '{' || last == ';'
}
