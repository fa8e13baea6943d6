package main

import (
	"slices"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// suggestion is a word that may come next, and what it means.
type suggestion struct{ word, meaning string }

// line is a command line that is being typed, as far as it is understood.
type line struct {
	path      string // the commands named so far: "config set"
	commands  []*cli.Command
	flags     []cli.Flag
	root      string // the value of --root
	arguments int    // how many arguments stand after the command
	valueOf   string // the flag whose value is being typed
}

// suggest returns what may stand in the place of the last of words, which are
// those after the program's name.
func suggest(app *cli.App, words []string) []suggestion {
	if len(words) == 0 {
		words = []string{""}
	}
	at := line{commands: app.Commands, flags: app.Flags}
	typed := words[len(words)-1]
	at.read(words[:len(words)-1])
	if typed == "=" { // bash takes --flag=value apart
		typed = ""
	}
	flag, value, assigned := strings.Cut(typed, "=")
	switch {
	case at.valueOf != "":
		return beginning(typed, at.values(at.valueOf))
	case strings.HasPrefix(typed, "-") && assigned:
		return prefixed(flag+"=", beginning(value, at.values(strings.TrimLeft(flag, "-"))))
	case strings.HasPrefix(typed, "-"):
		return beginning(typed, flagNames(at.flags))
	}
	return beginning(typed, append(commandsOf(at.commands), at.values(at.path)...))
}

// read takes in the words before the one that is being typed.
func (l *line) read(words []string) {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "=" })
	for len(words) > 0 {
		word := words[0]
		n := 1
		if strings.HasPrefix(word, "-") {
			n = width(l.flags, word)
			l.flag(word, words[1:min(n, len(words))])
			if n > len(words) {
				l.valueOf = strings.TrimLeft(word, "-")
			}
		} else {
			l.argument(word)
		}
		words = words[min(n, len(words)):]
	}
}

func (l *line) flag(word string, values []string) {
	name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if !assigned && len(values) > 0 {
		value = values[0]
	}
	if name == "root" {
		l.root = value
	}
}

func (l *line) argument(word string) {
	if word == "help" && l.path == "" {
		return
	}
	i := slices.IndexFunc(l.commands, func(c *cli.Command) bool { return c.HasName(word) })
	if i < 0 {
		l.commands = nil
		l.arguments++
		return
	}
	l.path = strings.TrimSpace(l.path + " " + word)
	l.flags, l.commands = append(slices.Clone(l.commands[i].Flags), cli.HelpFlag), l.commands[i].Subcommands
}

// values are those of a flag, or the arguments of a command.
func (l *line) values(name string) []suggestion {
	switch name {
	case "category":
		return categories()
	case "status":
		return wordsOf(string(schemas.Active), string(schemas.Retired), string(schemas.Archived), "all")
	case "strategy":
		return wordsOf(schemas.Strategies...)
	case "sort":
		return wordsOf(retrieve.SortNames...)
	case "lifecycle-event":
		return wordsOf(retrieve.LifecycleEvents...)
	case "scope":
		return wordsOf(scopes...)
	case "completion":
		return wordsOf("bash", "zsh", "fish")
	case "config get", "config set", "config unset":
		return l.settings()
	case "target", "show", "timeline", "scrub":
		return l.memories()
	}
	return nil
}

func wordsOf(words ...string) []suggestion {
	list := make([]suggestion, len(words))
	for i, word := range words {
		list[i].word = word
	}
	return list
}

func categories() []suggestion {
	var list []suggestion
	for _, info := range schemas.Categories {
		list = append(list, suggestion{string(info.Category), ""})
	}
	return list
}

// settings are the keys; the value that follows one is anybody's.
func (l *line) settings() []suggestion {
	all, err := schemas.Settings()
	if err != nil || l.arguments > 0 {
		return nil
	}
	list := make([]suggestion, len(all))
	for i, s := range all {
		list[i] = suggestion{s.Key, s.Description}
	}
	return list
}

// memories are the ids by the names of the files: whoever presses a key does not
// wait for an index.
func (l *line) memories() []suggestion {
	root, err := memdir.Find(memdir.PlacesFromEnv(l.root, ""))
	if err != nil {
		return nil
	}
	var list []suggestion
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		if err != nil || folder == nil {
			continue
		}
		entries, _ := folder.List()
		folder.Close()
		for _, name := range memdir.Names(entries) {
			list = append(list, suggestion{strings.TrimSuffix(name, ".json"), string(info.Category)})
		}
	}
	return list
}

func commandsOf(commands []*cli.Command) []suggestion {
	var list []suggestion
	for _, command := range commands {
		if !command.Hidden {
			list = append(list, suggestion{command.Name, command.Usage})
		}
	}
	return list
}

func flagNames(flags []cli.Flag) []suggestion {
	var list []suggestion
	for _, flag := range flags {
		documented, ok := flag.(cli.DocGenerationFlag)
		if !ok {
			continue
		}
		for _, name := range flag.Names() {
			if len(name) > 1 {
				list = append(list, suggestion{"--" + name, strings.ReplaceAll(documented.GetUsage(), "`", "")})
			}
		}
	}
	return list
}

func beginning(prefix string, list []suggestion) []suggestion {
	return slices.DeleteFunc(list, func(s suggestion) bool { return !strings.HasPrefix(s.word, prefix) })
}

func prefixed(prefix string, list []suggestion) []suggestion {
	for i := range list {
		list[i].word = prefix + list[i].word
	}
	return list
}
