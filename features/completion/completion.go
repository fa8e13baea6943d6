// Package completion is the feature that completes words in a shell.
package completion

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// The scripts ask memctl itself what may come next: "memctl complete -- WORDS" prints
// a word, a tab and what it means on each line. PowerShell may drop an empty argument, so
// its script gives the word that is being completed as a flag.
//
//go:embed completions
var completions embed.FS

// shells are those that have a completion, and completionFiles their scripts.
var (
	shells          = []string{"bash", "zsh", "fish", "powershell"}
	completionFiles = []string{"memctl.bash", "memctl.zsh", "memctl.fish", "memctl.ps1"}
)

//go:embed help
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "completion", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			complete := command.NewCommand(std, "complete", command.NoAgent(store.OtherProjects, "complete words"),
				runComplete)
			complete.Hidden = true // the scripts call it
			return []*cli.Command{
				command.CountingArguments(command.NewCommand(std, "completion", command.OnlyTells, runCompletion)),
				complete,
			}
		},
	}
}

func runCompletion(c *cli.Context, std command.Streams) error {
	i := slices.Index(shells, c.Args().First())
	if i < 0 || c.NArg() != 1 {
		return console.Usagef("completion: expected one of %s, got %q", strings.Join(shells, ", "), c.Args().First())
	}
	script, err := completions.ReadFile("completions/" + completionFiles[i])
	if err != nil {
		return err
	}
	_, err = std.Out.Write(script)
	return err
}

func runComplete(c *cli.Context, std command.Streams) error {
	words := c.Args().Slice()
	if c.IsSet("typed") {
		words = append(words, c.String("typed"))
	}
	for _, s := range suggest(c.App, std.Features, words) {
		fmt.Fprintf(std.Out, "%s\t%s\n", text.Printable(s.Word), s.Meaning)
	}
	return nil
}

// typedLine is the part of the line before the word that is being completed.
type typedLine struct {
	path      string // the commands: "config set"
	commands  []*cli.Command
	flags     []cli.Flag
	root      string // the value of --root
	arguments int    // after the command
	flag      string // whose value comes next, "" for none
	features  []command.Feature
}

// suggest returns what may stand in the place of the last of words, which are those
// after the program's name.
func suggest(app *cli.App, features []command.Feature, words []string) []command.Suggestion {
	typed := ""
	if n := len(words); n > 0 {
		typed, words = words[n-1], words[:n-1]
	}
	line := typedLine{commands: app.Commands, flags: app.Flags, features: features}
	for _, word := range words {
		if word != "=" { // bash splits --flag=value into three words
			line.add(word)
		}
	}
	if typed == "=" {
		typed = ""
	}
	name, value, assigned := strings.Cut(typed, "=")
	switch {
	case line.flag != "":
		return beginning(typed, line.values(line.flag))
	case strings.HasPrefix(typed, "-") && assigned: // the shell replaces the flag too
		found := beginning(value, line.values(strings.TrimLeft(name, "-")))
		for i := range found {
			found[i].Word = name + "=" + found[i].Word
		}
		return found
	case strings.HasPrefix(typed, "-"):
		return beginning(typed, flagNames(line.flags))
	}
	return beginning(typed, append(visible(line.commands), line.values(line.path)...))
}

// beginning keeps the suggestions that begin with what was typed.
func beginning(typed string, list []command.Suggestion) []command.Suggestion {
	return slices.DeleteFunc(slices.Clone(list), func(s command.Suggestion) bool {
		return !strings.HasPrefix(s.Word, typed)
	})
}

func (l *typedLine) add(word string) {
	command := console.CommandNamed(l.commands, word)
	switch {
	case l.flag != "":
		if l.flag == "root" {
			l.root = word
		}
		l.flag = ""
	case strings.HasPrefix(word, "-"):
		name, value, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if name == "root" {
			l.root = value
		}
		if console.Width(l.flags, word) == 2 {
			l.flag = name
		}
	case word == "help" && l.path == "":
	case command == nil:
		l.commands = nil
		l.arguments++
	default:
		l.path = strings.TrimSpace(l.path + " " + command.Name)
		l.commands, l.flags = command.Subcommands, append(slices.Clone(command.Flags), cli.HelpFlag)
	}
}

// fixedValues are the values of flags and the arguments of commands that are the same
// in every project.
var fixedValues = map[string][]string{
	"category":        schemas.CategoryNames(),
	"status":          {"active", "retired", "archived", "all"},
	"strategy":        schemas.Strategies,
	"sort":            retrieve.SortNames,
	"lifecycle-event": retrieve.LifecycleEvents,
	"scope":           clients.Scopes,
	"color":           command.ColorWhen,
	"completion":      shells,
}

// values are those of a flag, or the arguments of a command.
func (l *typedLine) values(name string) []command.Suggestion {
	switch name {
	case "config get", "config set", "config unset":
		var keys []command.Suggestion
		for _, s := range schemas.Settings() {
			keys = append(keys, command.Suggestion{Word: s.Key, Meaning: s.Description()})
		}
		if l.arguments == 0 { // a value follows the key
			return keys
		}
	case "client":
		return command.Suggestions(clients.Names())
	case "config preset":
		return command.Suggestions(schemas.Presets)
	case "target", "show", "timeline", "edit", "update", "retire", "restore", "scrub", "history",
		"resolve", "review":
		return memoryIDs(l.root)
	case "template":
		name = "category"
	}
	for _, f := range l.features {
		if values := f.Values[name]; values != nil {
			return values(l.arguments)
		}
	}
	if added, ok := strings.CutPrefix(l.path, "add "); ok {
		return fieldValues(added, name)
	}
	return command.Suggestions(fixedValues[name])
}

func fieldValues(category, flag string) []command.Suggestion {
	form := schemas.FormOf(schemas.Category(category))
	for _, field := range form.Content {
		if command.FlagOf(field) == flag {
			return command.Suggestions(field.Choices)
		}
	}
	return nil
}

// memoryIDs reads the names of the files, because a completion should not wait for
// the index.
func memoryIDs(rootArg string) []command.Suggestion {
	root, err := files.Find(files.PlacesFromEnv(rootArg, ""))
	if err != nil {
		return nil
	}
	var list []command.Suggestion
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		if err != nil || folder == nil {
			continue
		}
		names, _ := folder.List()
		folder.Close()
		for _, name := range names {
			list = append(list, command.Suggestion{Word: strings.TrimSuffix(name, ".json"),
				Meaning: string(info.Category)})
		}
	}
	return list
}

func visible(commands []*cli.Command) []command.Suggestion {
	var list []command.Suggestion
	for _, cmd := range commands {
		if !cmd.Hidden {
			list = append(list, command.Suggestion{Word: cmd.Name, Meaning: cmd.Usage})
		}
	}
	return list
}

func flagNames(flags []cli.Flag) []command.Suggestion {
	var list []command.Suggestion
	for _, flag := range flags {
		usage := flag.(cli.DocGenerationFlag).GetUsage() // every flag of the library is one
		for _, name := range flag.Names() {
			if len(name) > 1 {
				list = append(list, command.Suggestion{Word: "--" + name, Meaning: strings.ReplaceAll(usage, "`", "")})
			}
		}
	}
	return list
}
