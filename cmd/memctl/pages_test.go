package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// pageLine is a command line in a page: in inline code, which may be broken, or a line of code.
var pageLine = regexp.MustCompile("`memctl ([^`]+)`|(?m)^(?:    |\\$ )memctl (.+)$")

// The commands and flags that the pages name exist. Those of memctl-hub are its own.
func TestPagesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	list, lines := commands(program(), ""), 0
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "docs/*.md", "docs/dev/*.md", "docs/dev/decisions/*.md", "hub/README.md"} {
		pages, err := filepath.Glob(filepath.Join(pluginRoot, pattern))
		if err != nil || len(pages) == 0 {
			t.Fatal(pattern, err)
		}
		for _, page := range pages {
			data, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range pageLine.FindAllStringSubmatch(string(data), -1) {
				lines++
				wrong := unknownWord(list, found[1]+found[2])
				if wrong != "" {
					t.Errorf("%s: memctl %s: there is no %s", page, found[1]+found[2], wrong)
				}
			}
		}
	}
	if lines < 150 {
		t.Errorf("the pages name only %d commands", lines)
	}
}

// unknownWord returns the command or flag of a line that does not exist, "" for none.
func unknownWord(list []*cli.Command, line string) string {
	line, _, _ = strings.Cut(line, "#") // a comment
	var cmd *cli.Command
	for i, word := range strings.Fields(line) {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch sub := console.CommandNamed(list, word); {
		case word == "help" || word == "COMMAND" || word == "|" || strings.HasPrefix(word, ";"):
			return ""
		case sub != nil:
			cmd, list = sub, sub.Subcommands
		case i == 0 && !strings.HasPrefix(word, "-"):
			return word
		case cmd != nil && cmd.SkipFlagParsing: // of another program
			return ""
		case strings.HasPrefix(word, "--") && name != "" && name != "help" && !hasFlag(cmd, name):
			return word
		}
	}
	return ""
}

func hasFlag(cmd *cli.Command, name string) bool {
	return cmd != nil && slices.ContainsFunc(cmd.Flags, func(flag cli.Flag) bool { return slices.Contains(flag.Names(), name) })
}
