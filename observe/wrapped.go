package observe

import (
	"path"
	"slices"
	"strings"
)

// maxWrapped is how many wrappers of a command are looked through.
const maxWrapped = 4

// withValue are the options of wrappers that take the next word.
var withValue = map[string]string{
	"sudo": "-u -g -h -p -C -D -R -T", "doas": "-u -C", "env": "-u -C", "nice": "-n", "timeout": "-s -k",
	"xargs": "-n -I -P -L -d -a -s", "time": "-f -o", "ansible-playbook": "-i -e -l -t -u -f",
	"ssh": "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
	"docker": "-v --volume --name --network -u --user -w --workdir -e --env --env-file -f --file -p --project-name " +
		"--index -H --context --profile",
}

// shells run the argument of -c, or a script.
var shells = []string{"bash", "sh", "zsh", "dash", "ksh", "fish"}

// Executed returns the commands that a command line runs, as Commands does, and those that they run by
// another program: in a shell, as another user, on another host or in a container.
func Executed(line string) [][]string { return executed(line, maxWrapped) }

func executed(line string, depth int) [][]string {
	list := Commands(line)
	for words := range commands(line) {
		for _, inner := range unwrapped(words, depth) {
			list = append(list, append([]string{programName(inner[0])}, inner[1:]...))
		}
	}
	return list
}

// scriptRunners are programs that run the file which they are given first, besides shells and interpreters.
var scriptRunners = []string{"source", ".", "ansible-playbook", "deno", "bun", "tsx", "ts-node", "php"}

// Ran returns the files that a command line runs: a program with its folder, and the script of a shell, an interpreter
// and the like; and those that are removed, or that git is to add, remove or rename. They are relative to the folder in
// which it runs, unless a cd before leads elsewhere.
func Ran(line string) (files []string) {
	folder := ""
	for words := range commands(line) {
		for _, run := range append(unwrapped(words, maxWrapped), words) {
			run = withoutVariables(run)
			if len(run) == 0 {
				continue
			}
			name, file := programName(run[0]), run[0]
			if slices.Contains(slices.Concat(shells, interpreters, scriptRunners), name) {
				rest := afterOptions(run[1:], name)
				file = strings.Join(rest[:min(1, len(rest))], "")
			}
			switch {
			case name == "rm", name == "git" && len(run) > 2 && slices.Contains([]string{"add", "rm", "mv"}, run[1]):
				for _, word := range run[1:] {
					if !strings.HasPrefix(word, "-") {
						files = append(files, changed(folder, word))
					}
				}
			case name == "cd" && len(run) == 2:
				folder = changed(folder, run[1])
			case strings.ContainsAny(file, "/.") && !strings.ContainsAny(file, " \n"):
				files = append(files, changed(folder, file))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// withoutVariables returns a command without the variables that are set for it.
func withoutVariables(words []string) []string {
	for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	return words
}

// changed is the folder after a cd.
func changed(folder, to string) string {
	if path.IsAbs(to) {
		return path.Clean(to)
	}
	return path.Join(folder, to)
}

// unwrapped returns the commands that a command runs by another program, as they are written.
func unwrapped(words []string, depth int) [][]string {
	for len(words) > 0 && (strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") ||
		slices.Contains([]string{"if", "then", "else", "do", "while", "!", "{"}, words[0])) {
		words = words[1:]
	}
	if len(words) < 2 || depth == 0 {
		return nil
	}
	name := programName(words[0])
	rest := afterOptions(words[1:], name)
	switch {
	case slices.Contains(carriers, name):
		for name == "timeout" && len(rest) > 0 && strings.Trim(rest[0], "0123456789.smhd") == "" {
			rest = rest[1:]
		}
	case slices.Contains(shells, name):
		if at := slices.IndexFunc(words[1:], isShellCommand); at >= 0 {
			return inner(strings.Join(words[at+2:][:min(1, len(words)-at-2)], ""), depth-1)
		}
	case name == "ssh":
		return inner(strings.Join(rest[min(1, len(rest)):], " "), depth-1)
	case slices.Contains([]string{"docker", "podman", "nerdctl", "docker-compose"}, name):
		rest = inContainer(rest)
	case name == "kubectl" || name == "mise" || name == "direnv" || name == "devbox" || name == "nix":
		at := slices.Index(words, "--")
		if at < 0 || !slices.ContainsFunc(words[:at], func(word string) bool {
			return slices.Contains([]string{"exec", "x", "run", "develop", "shell"}, word)
		}) {
			return nil
		}
		rest = words[at+1:]
	default:
		return nil
	}
	if len(rest) == 0 {
		return nil
	}
	return append([][]string{rest}, unwrapped(rest, depth-1)...)
}

// inner returns the commands of a line that another program runs, and those that they run.
func inner(line string, depth int) (list [][]string) {
	for words := range commands(line) {
		if words = withoutVariables(words); len(words) > 0 {
			list = append(append(list, words), unwrapped(words, depth)...)
		}
	}
	return list
}

// isShellCommand reports whether an option of a shell says that a command follows: -c, -lc.
func isShellCommand(word string) bool {
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.HasSuffix(word, "c")
}

// inContainer returns the command that docker runs in a container: by exec, run, compose exec and compose run.
func inContainer(words []string) []string {
	isCompose := len(words) > 0 && words[0] == "compose"
	if isCompose {
		words = afterOptions(words[1:], "docker")
	}
	if len(words) == 0 || words[0] != "exec" && words[0] != "run" {
		return nil
	}
	words = afterOptions(words[1:], "docker")
	return words[min(1, len(words)):] // without the container's name, or the image's
}

// afterOptions returns the words after a wrapper's own options and variables.
func afterOptions(words []string, name string) []string {
	valued := strings.Fields(withValue[name])
	if valued == nil && slices.Contains([]string{"podman", "nerdctl", "docker-compose"}, name) {
		valued = strings.Fields(withValue["docker"])
	}
	for len(words) > 0 {
		switch word := words[0]; {
		case word == "--":
			return words[1:]
		case slices.Contains(valued, word):
			words = words[min(2, len(words)):]
		case strings.HasPrefix(word, "-") || name == "env" && strings.Contains(word, "="):
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

// Written returns the files that a command line writes, as far as it tells: by redirections, tee, sed -i, mv
// and cp. They are relative to the folder in which it runs unless a cd before leads elsewhere.
func Written(line string) []string { return written(line, maxWrapped) }

func written(line string, depth int) (files []string) {
	folder := ""
	add := func(names ...string) {
		for _, name := range names {
			if name == "" || strings.ContainsAny(name, "$*?") {
				continue
			}
			if !path.IsAbs(name) {
				name = path.Join(folder, name)
			}
			files = append(files, name)
		}
	}
	for words := range commands(line) {
		if len(words) == 0 {
			continue
		}
		rest, targets := withoutRedirections(words)
		add(targets...)
		var arguments []string
		for _, word := range rest[1:] {
			if !strings.HasPrefix(word, "-") {
				arguments = append(arguments, word)
			}
		}
		last := len(arguments) - 1
		switch name := programName(rest[0]); {
		case name == "cd" && last == 0:
			folder = changed(folder, arguments[0])
		case name == "tee":
			add(arguments...)
		case (name == "sed" || name == "perl" || name == "yq") && editsInPlace(rest[1:]):
			add(arguments[min(1, len(arguments)):]...)
		case slices.Contains(formatters, name):
			add(slices.DeleteFunc(arguments, func(word string) bool { return path.Ext(word) == "" })...)
		case name == "curl" || name == "wget":
			for i, word := range rest[1:] {
				if (word == "-o" || word == "-O" || word == "--output") && i+2 < len(rest) {
					add(rest[i+2])
				}
			}
		case (name == "mv" || name == "cp") && last > 0:
			add(arguments[last])
			for _, from := range arguments[:last] {
				add(path.Join(arguments[last], path.Base(from)))
			}
		case depth > 0 && slices.Contains(shells, name):
			if at := slices.IndexFunc(rest, isShellCommand); at >= 0 && at+1 < len(rest) {
				add(written(rest[at+1], depth-1)...)
			}
		}
	}
	return files
}

func editsInPlace(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.HasPrefix(word, "-i") || strings.HasPrefix(word, "--in-place") || strings.HasPrefix(word, "-pi")
	})
}
