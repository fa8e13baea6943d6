package observe

import (
	"slices"
	"strings"
)

// lookers are programs that change nothing, besides the companions.
var lookers = []string{
	"ls", "cat", "pwd", "grep", "egrep", "fgrep", "rg", "ag", "find", "fd", "head", "tail", "less", "more", "wc",
	"sort", "uniq",
	"cut", "tr", "sed", "awk", "jq", "yq", "tree", "stat", "file", "du", "df", "diff", "cmp", "od", "xxd", "hexdump",
	"strings",
	"which", "whereis", "type", "man", "date", "whoami", "id", "hostname", "uname", "ps", "top", "free", "uptime",
	"lsof",
	"netstat", "ss", "ping", "dig", "nslookup", "host", "curl", "basename", "dirname", "realpath", "readlink",
	"printenv",
	"history", "wait", "memctl",
}

// lookingWords returns the first words with which a program changes nothing.
func lookingWords(program string) []string {
	switch program {
	case "git":
		return []string{"status", "log", "diff", "show", "blame", "grep", "ls-files", "rev-parse", "describe"}
	case "kubectl":
		return []string{"get", "describe", "logs", "explain"}
	case "docker", "podman":
		return []string{"ps", "logs", "images", "inspect"}
	case "systemctl":
		return []string{"status"}
	case "go":
		return []string{"version", "env", "list", "doc"}
	case "npm", "pip":
		return []string{"ls", "list", "view", "show", "outdated", "freeze"}
	}
	return nil
}

// editingWords are the words of git with which it changes the files of the working tree.
var editingWords = []string{"apply", "am", "checkout", "restore", "revert", "reset", "cherry-pick"}

// formatters are programs that rewrite files.
var formatters = []string{"gofmt", "gofumpt", "goimports", "black", "isort", "rustfmt", "clang-format", "shfmt"}

// editors are the tools that edit files.
var editors = []string{"Write", "Edit", "MultiEdit", "NotebookEdit"}

// interpreters run code that stands in the command line after an option.
var interpreters = []string{"python", "python3", "node", "ruby", "perl"}

// deeds returns the commands of a line that do something, each as its words without redirections, and
// whether the line edits files, as far as it tells. It knows the usual programs only.
func deeds(line string) (list [][]string, edits bool) {
	edits = strings.Contains(line, "<<") // what a here-document has is not needed twice
	for _, words := range Commands(line) {
		words, targets := withoutRedirections(words)
		writes := slices.ContainsFunc(targets, func(file string) bool { return !strings.HasPrefix(file, "/tmp/") })
		switch looks := onlyLooks(words); {
		case editsFiles(words) || looks && writes:
			edits = true
		case !looks:
			list = append(list, words)
		}
	}
	return list, edits
}

func onlyLooks(words []string) bool {
	name := words[0]
	if slices.Contains(lookers, name) || slices.Contains(companions, name) {
		return true
	}
	first := ""
	for i, word := range words[1:] {
		switch {
		case word == "--help" || word == "--version" || word == "--dry-run":
			return true
		case first == "" && !strings.HasPrefix(word, "-") && words[i] != "-C": // git -C FOLDER status
			first = word
		}
	}
	return slices.Contains(lookingWords(name), first)
}

func editsFiles(words []string) bool {
	name, first := words[0], ""
	if len(words) > 1 {
		first = words[1]
	}
	switch {
	case slices.Contains(words, "--fix") || slices.Contains(words, "--write") || first == "fmt" || first == "format":
		return true
	case name == "git":
		return slices.Contains(editingWords, first)
	case name == "sed":
		return slices.ContainsFunc(words, func(word string) bool {
			return strings.HasPrefix(word, "-i") || strings.HasPrefix(word, "--in-place")
		})
	case slices.Contains(interpreters, name):
		return slices.Contains([]string{"-c", "-e", "-i", "-pi", "-pe"}, first)
	}
	return slices.Contains(formatters, name) || slices.Contains([]string{"tee", "patch", "ed", "ex"}, name)
}

// withoutRedirections removes the redirections of a command, and returns the files other than devices to which
// its output goes.
func withoutRedirections(words []string) (rest, targets []string) {
	rest = words[:1:1]
	for i := 1; i < len(words); i++ {
		isError := strings.HasPrefix(words[i], "2")
		sign := strings.TrimLeft(words[i], "0123456789&")
		target := strings.TrimLeft(sign, "<>|")
		if target == sign {
			rest = append(rest, words[i])
			continue
		}
		if target == "" && i+1 < len(words) { // the next word
			i++
			target = words[i]
		}
		if sign[0] == '>' && !isError && !strings.HasPrefix(target, "&") && !strings.HasPrefix(target, "/dev/") {
			targets = append(targets, target)
		}
	}
	return rest, targets
}
