package observe

import (
	"path"
	"slices"
	"strings"
)

// runsMemctl reports whether the purpose of a command line is to run memctl: one of
// its pipelines does, and the others run nothing worth remembering.
func runsMemctl(line string) bool {
	if !strings.Contains(line, "memctl") {
		return false
	}
	found := false
	for _, pipeline := range pipelines(line) {
		programs := programsOf(pipeline)
		switch {
		case slices.Contains(programs, "memctl"):
			found = true
		case slices.ContainsFunc(programs, func(p string) bool { return !slices.Contains(companions, p) }):
			return false
		}
	}
	return found
}

func programsOf(pipeline [][]string) []string {
	var programs []string
	for _, words := range pipeline {
		programs = append(programs, program(words))
	}
	return programs
}

// companions are programs that accompany others; "" is a command that only sets
// variables.
var companions = []string{
	"", "cd", "pushd", "popd", "echo", "printf", "export", "set", "source", ".", "true", ":", "sleep", "test", "[", "[[", "for", "done", "fi",
}

// carriers run the rest of their command, or introduce one.
var carriers = []string{
	"env", "sudo", "doas", "time", "timeout", "nice", "nohup", "command", "exec", "xargs",
	"!", "{", "}", "if", "then", "elif", "else", "while", "until", "do",
}

// program returns the program that the words of a command run, without its folder.
func program(words []string) string {
	carried := false
	for _, word := range words {
		name := strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
		switch {
		case slices.Contains(carriers, name):
			carried = true
		case strings.HasPrefix(word, "#"):
			return ""
		case strings.Contains(word, "="): // sets a variable for the command
		case carried && strings.ContainsAny(word[:1], "-0123456789"): // the carrier's own
		default:
			return name
		}
	}
	return ""
}

// shell splits a line into pipelines, their commands and the words of those. Quotes
// hold words together; substitutions are commands of their own. It knows no more of
// shells: the argument of "sh -c" is one word.
type shell struct {
	pipelines [][][]string
	pipeline  [][]string
	words     []string
	word      []byte
}

func pipelines(line string) [][][]string {
	line = strings.ReplaceAll(withoutHere(line), "\\\n", " ")
	var s shell
	quote := byte(0)
	for i := range len(line) {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			s.word = append(s.word, c)
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			s.endWord()
		case c == '|' && !strings.HasPrefix(line[i+1:], "|") && !strings.HasSuffix(line[:i], "|"):
			s.endCommand()
		case c == '&' && (strings.HasSuffix(line[:i], ">") || strings.HasPrefix(line[i+1:], ">")): // 2>&1
		case strings.IndexByte(";&|()\n`", c) >= 0:
			s.endPipeline()
		default:
			s.word = append(s.word, c)
		}
	}
	s.endPipeline()
	return s.pipelines
}

// withoutHere removes the content of the first here-document.
func withoutHere(line string) string {
	at := strings.Index(strings.ReplaceAll(line, "<<<", "   "), "<<")
	if at < 0 {
		return line
	}
	first, document, _ := strings.Cut(line[at:], "\n")
	end, _, _ := strings.Cut(strings.TrimLeft(first[len("<<"):], "- "), " ")
	_, after, _ := strings.Cut("\n"+document, "\n"+strings.Trim(end, `'"`)+"\n")
	return line[:at] + first + "\n" + after
}

func (s *shell) endWord() {
	if len(s.word) > 0 {
		s.words = append(s.words, string(s.word))
	}
	s.word = nil
}

func (s *shell) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		s.pipeline = append(s.pipeline, s.words)
	}
	s.words = nil
}

func (s *shell) endPipeline() {
	s.endCommand()
	if len(s.pipeline) > 0 {
		s.pipelines = append(s.pipelines, s.pipeline)
	}
	s.pipeline = nil
}
