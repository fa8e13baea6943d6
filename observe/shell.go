package observe

import (
	"iter"
	"path"
	"slices"
	"strings"

	"memctl/text"
)

// runsMemctl reports whether the purpose of a command line is to run memctl: one of
// its pipelines does, and the others run nothing worth remembering.
func runsMemctl(line string) bool {
	if !strings.Contains(line, "memctl") {
		return false
	}
	found := false
	for _, programs := range pipelines(line) {
		switch {
		case slices.Contains(programs, "memctl"):
			found = true
		case slices.ContainsFunc(programs, func(p string) bool { return !slices.Contains(companions, p) }):
			return false
		}
	}
	return found
}

// companions are programs that accompany others; "" is a command that only sets
// variables.
var companions = []string{
	"", "cd", "pushd", "popd", "echo", "printf", "export", "set", "source", ".", "true", ":", "sleep",
	"test", "[", "[[", "for", "done", "fi",
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
		name := programName(word)
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

func programName(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}

// shellToken matches a word with its quoted parts and redirections, or what separates
// commands: a pipe or the end of a pipeline.
var shellToken = text.Pattern(`(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|>&|&>|[^\s;&|()'"\x60])+|\|\|?|[;&()\n\x60]`)

var withoutQuotes = strings.NewReplacer("'", "", `"`, "")

// pipelines returns the programs that each pipeline of a command line runs. Commands
// in substitutions count as pipelines. It knows no more of shells: the argument of
// "sh -c" is one word.
func pipelines(line string) [][]string {
	var all [][]string
	var programs []string
	for words, end := range commands(line) {
		if len(words) > 0 {
			programs = append(programs, program(words))
		}
		if end != "|" {
			all = append(all, programs)
			programs = nil
		}
	}
	return all
}

// Commands returns the commands that a command line runs, each as its words without quotes,
// the program first and without its folder. It leaves out what sets a variable, and
// programs that run another.
func Commands(line string) (list [][]string) {
	for words := range commands(line) {
		name := program(words)
		for i, word := range words {
			if name != "" && programName(word) == name {
				list = append(list, append([]string{name}, words[i+1:]...))
				break
			}
		}
	}
	return list
}

// commands yields the words of each command of a line, without quotes, and what ends it.
func commands(line string) iter.Seq2[[]string, string] {
	return func(yield func([]string, string) bool) {
		line = strings.ReplaceAll(withoutHere(line), "\\\n", " ")
		var words []string
		for _, token := range append(shellToken().FindAllString(line, -1), ";") {
			switch token {
			case "|", "||", ";", "&", "(", ")", "`", "\n":
				if !yield(words, token) {
					return
				}
				words = nil
			default:
				if word := withoutQuotes.Replace(token); word != "" {
					words = append(words, word)
				}
			}
		}
	}
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
