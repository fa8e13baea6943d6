package main

import (
	"strings"
	"testing"

	"memctl/cmd/console"
)

// Every command that people may type is in one group of the help, and what an old name stands for
// is a command with those flags.
func TestEveryCommandIsInOneGroup(t *testing.T) {
	t.Parallel()
	list := commands(program(), "")
	groups := map[string]int{}
	for line := range strings.Lines(program().Help().Read("groups")) {
		title, names, _ := strings.Cut(line, ":")
		for name := range strings.FieldsSeq(names) {
			groups[name]++
			if console.CommandNamed(list, name) == nil {
				t.Errorf("%q has the command %s, which does not exist", title, name)
			}
		}
	}
	for _, command := range list {
		if want := map[bool]int{true: 0, false: 1}[command.Hidden]; groups[command.Name] != want {
			t.Errorf("%s is in %d groups, want %d", command.Name, groups[command.Name], want)
		}
	}
	for old, now := range renamed {
		if console.CommandNamed(list, old) != nil {
			t.Errorf("%s is a command again", old)
		}
		commands := list
		for word := range strings.FieldsSeq(now) {
			command := console.CommandNamed(commands, word)
			if strings.HasPrefix(word, "--") {
				break // the script has the flags
			}
			if command == nil {
				t.Fatalf("%s stands for %q, and there is no %s", old, now, word)
			}
			commands = command.Subcommands
		}
	}
}

// The settings that "memctl config" lists exist.
func TestUsualSettingsExist(t *testing.T) {
	t.Parallel()
	if len(usual) != 12 {
		t.Errorf("%d settings are on the first list, want 12", len(usual))
	}
	for _, key := range usual {
		if _, err := settingNamed(key); err != nil {
			t.Error(err)
		}
	}
}
