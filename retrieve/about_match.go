package retrieve

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// How much a related file is about a file.
const (
	worded   = 1 // the words of the title are in what is written
	beside   = 2
	inFolder = 3
	pattern  = 4
	named    = 5
	exact    = 6
)

// aboutFile says how much a related file, as a memory names it, is about a file of the
// project; 0 for not at all. The name may end in a line or an anchor.
func aboutFile(related, file string) int {
	related = strings.TrimPrefix(strings.TrimSpace(related), "./")
	if related == "" || len(related) > MaxPattern {
		return 0
	}
	if IsPattern(related) {
		if InPattern(related, file) {
			return pattern
		}
		return 0
	}
	if bare := text.WithoutPlace(related); path.Base(bare) == path.Base(file) {
		related = bare
	}
	related = path.Clean(related)
	switch {
	case related == file:
		return exact
	case strings.HasPrefix(file, related+"/"):
		return inFolder
	}
	return 0
}

// MaxPattern is how many bytes a pattern has at most.
const MaxPattern = 1000

// InPattern reports whether a pattern matches a file. One that is too long or broken matches none.
func InPattern(glob, file string) bool {
	if len(glob) > MaxPattern || !strings.HasPrefix(file, PatternPrefix(glob)) {
		return false
	}
	re, err := Pattern(glob)
	return err == nil && re.MatchString(file)
}

// IsPattern reports whether the name of a related file is a pattern. A file may have such a name, too.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// Pattern compiles a pattern, with ** for any folders and {a,b} for a choice. It matches files and what is below
// folders that it matches. One without a slash matches names.
func Pattern(glob string) (*regexp.Regexp, error) {
	var b strings.Builder
	if !strings.Contains(glob, "/") {
		b.WriteString("(?:.*/)?")
	}
	braces := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += len("**/") - 1
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			braces++
			b.WriteString("(?:")
		case c == ',' && braces > 0:
			b.WriteString("|")
		case c == '}' && braces > 0:
			braces--
			b.WriteString(")")
		case c == '[' || c == ']' || c == '-':
			b.WriteByte(c) // a class
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	return regexp.Compile("^(?:" + b.String() + ")(?:/.*)?$")
}

// PatternPrefix returns the beginning of every path that a pattern matches.
func PatternPrefix(glob string) string {
	if !strings.Contains(glob, "/") {
		return ""
	}
	return glob[:strings.IndexAny(glob, "*?[{")]
}

// ordinary are programs whose name alone says nothing, and words of code that is no
// command.
var ordinary = []string{"cd", "ls", "cat", "echo", "test", "set", "export", "true", "false", "source", "type", "id",
	"env", "time"}

// runs reports whether a memory's code is among the commands that are run. All commands of
// the code have to be, word by word.
func runs(commands [][]string, code string) bool {
	required := spelledIn(code)
	if len(required) == 1 && len(required[0]) == 1 && slices.Contains(ordinary, required[0][0]) {
		return false
	}
	for _, words := range required {
		if !slices.ContainsFunc(commands, func(command []string) bool { return isRun(command, words) }) {
			return false
		}
	}
	return len(required) > 0
}

// runners run the program that one of their first words names.
var runners = []string{"npx", "bunx", "npm", "pnpm", "yarn", "bundle", "uv", "poetry", "pipx", "python", "mise"}

// runBy returns the part of a command that a program begins: all of it, or what its runner
// runs.
func runBy(command []string, program string) []string {
	if len(command) > 2 && command[0] == "go" && command[1] == "run" && path.Base(command[2]) == program {
		return command[2:]
	}
	if len(command) == 0 || command[0] == program || !slices.Contains(runners, command[0]) {
		return command
	}
	const near = 6 // words
	at := slices.IndexFunc(command[:min(len(command), near)], func(word string) bool {
		return cmp.Or(spellings[word], word) == program
	})
	if at > 0 {
		return spelled(command[at:])
	}
	return command
}

// asking are options with which a command does nothing but answer.
var asking = []string{"--help", "--version", "--list", "--dry-run"}

// onlyAsks reports whether a command has such an option of which the memory does not speak.
func onlyAsks(command []string, m *schemas.Memory) bool {
	return slices.ContainsFunc(command, func(word string) bool {
		return slices.Contains(asking, word) && !strings.Contains(m.Title+"\n"+m.Text(), word)
	})
}

// isRun reports whether a command runs the words of a memory's code: the same program, the
// words in their order with nothing but options between them, and the options anywhere.
func isRun(command, words []string) bool {
	command = runBy(command, words[0])
	if len(command) == 0 || path.Base(command[0]) != words[0] {
		return false
	}
	var arguments []string // wanted
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") {
			arguments = append(arguments, word)
		} else if !slices.ContainsFunc(command[1:], func(option string) bool { return hasOption(option, word) }) {
			return false
		}
	}
	afterOption := false
	for _, word := range command[1:] {
		switch {
		case len(arguments) == 0:
			return true
		case strings.HasPrefix(word, "-"), strings.HasPrefix(word, "+"): // cargo +nightly test
			afterOption = true
		case isArgument(word, arguments[0]):
			arguments, afterOption = arguments[1:], false
		case afterOption: // the option's own
			afterOption = false
		default:
			return false
		}
	}
	return len(arguments) == 0
}

// hasOption reports whether a word of a command is an option, or a bundle with its letters.
func hasOption(word, option string) bool {
	if word == option || strings.HasPrefix(word, option+"=") {
		return true
	}
	const bundle = 4 // letters at most
	letters, wanted := strings.TrimPrefix(word, "-"), strings.TrimPrefix(option, "-")
	if strings.HasPrefix(letters, "-") || strings.HasPrefix(wanted, "-") || letters == word || len(letters) > bundle ||
		len(wanted) > bundle {
		return false
	}
	return wanted != "" && !strings.ContainsFunc(wanted, func(r rune) bool { return !strings.ContainsRune(letters, r) })
}

// isArgument reports whether a word is an argument of a memory's code, which may be a
// placeholder or a pattern.
func isArgument(word, pattern string) bool {
	word, pattern = strings.TrimPrefix(word, "./"), strings.TrimPrefix(pattern, "./")
	if word == pattern || strings.ContainsAny(pattern, "<>…$") || pattern == "..." {
		return true
	}
	matched, err := path.Match(pattern, word)
	return err == nil && matched || strings.HasPrefix(word, strings.TrimSuffix(pattern, "/")+"/")
}

// spellings are other spellings of programs, of the first argument of one and of the options of one.
var spellings = map[string]string{
	"python3": "python", "pip3": "pip", "nodejs": "node", "docker-compose": "docker compose", "rake": "rails",
	"sail": "php", "npm i": "install", "npm add": "install", "npm rm": "uninstall", "npm t": "test", "npm exec": "x",
	"pnpm i":  "install",
	"rails s": "server", "rails c": "console", "rails g": "generate", "rails d": "destroy", "rails t": "test",
	"cargo b": "build", "cargo r": "run", "cargo t": "test",
	"git push -f": "--force", "git push -d": "--delete", "git commit -n": "--no-verify", "git checkout -f": "--force",
	"git branch -d": "--delete", "git clean -f": "--force", "docker compose -v": "--volumes", "rm -r": "--recursive",
	"rm -R": "--recursive", "rm -f": "--force",
}

// bundling are programs that take several letters after one dash for as many options.
var bundling = []string{"git", "rm", "cp", "docker", "docker-compose"}

var bundle = text.Pattern(`^-[A-Za-z]{2,4}$`)

// spelledIn returns the commands of a memory's code.
func spelledIn(code string) [][]string {
	list := observe.Commands(code)
	for i := range list {
		list[i] = spelled(list[i])
	}
	return list
}

// spelled returns a command in one of its spellings; a value of a long option is a word of its own.
func spelled(command []string) (words []string) {
	for _, word := range command {
		option, value, found := strings.Cut(word, "=")
		switch {
		case found && strings.HasPrefix(word, "-"):
			words = append(words, option, value)
		case slices.Contains(bundling, command[0]) && bundle().MatchString(word):
			for _, letter := range word[1:] {
				words = append(words, "-"+string(letter))
			}
		default:
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return words
	}
	if other := spellings[words[0]]; other != "" {
		words = append(strings.Fields(other), words[1:]...)
	}
	at := slices.IndexFunc(words[1:], func(word string) bool { return !strings.HasPrefix(word, "-") }) + 1
	if at > 0 {
		words[at] = cmp.Or(spellings[words[0]+" "+words[at]], words[at])
	}
	for i, word := range words[1:] {
		both := words[0] + " " + words[at] + " " + word
		words[i+1] = cmp.Or(spellings[both], spellings[words[0]+" "+word], word)
	}
	return words
}
