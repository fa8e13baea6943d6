package command

import (
	"fmt"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func RootFlag() cli.Flag {
	return &cli.StringFlag{Name: "root", Usage: "use the project or memory root `DIR`"}
}

// RootArg returns --root, which may stand before or after the command.
func RootArg(c *cli.Context) string {
	for _, level := range c.Lineage() {
		if level.IsSet("root") {
			return level.String("root")
		}
	}
	return ""
}

var Scopes = []string{files.ProjectScope.String(), files.UserScope.String()}

// OwnFlags choose whose memories a command is about.
func OwnFlags() []cli.Flag {
	return []cli.Flag{
		ChoiceFlag("scope", "",
			"whose memories: `SCOPE` project (default), or user, your own that apply to every project", Scopes),
		&cli.BoolFlag{Name: "user", Usage: "the same as --scope user"},
	}
}

// ReadScope reads OwnFlags, which may stand before or after a subcommand.
func ReadScope(c *cli.Context) (files.Scope, error) {
	scope := files.ProjectScope
	for _, level := range c.Lineage() {
		switch user, named := level.Bool("user"), level.String("scope"); {
		case user && named == files.ProjectScope.String():
			return scope, console.Usagef("--user and --scope project contradict each other")
		case user || named == files.UserScope.String():
			scope = files.UserScope
		}
	}
	if scope == files.UserScope && RootArg(c) != "" {
		return scope, console.Misused("leave one of the two out", "--root names a root, and --scope user another one")
	}
	return scope, nil
}

func JSONFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print JSON, for programs"}
}

// OneOf checks the value of a flag that takes one of a few words.
func OneOf(name string, words []string) func(*cli.Context, string) error {
	return func(c *cli.Context, value string) error {
		if slices.Contains(words, value) {
			return nil
		}
		return console.UsageError(c, fmt.Errorf("--%s: expected one of %s, got %q", name, strings.Join(words, ", "),
			value), true)
	}
}

func ChoiceFlag(name, value, usage string, words []string) cli.Flag {
	return &cli.StringFlag{Name: name, Value: value, Usage: usage, Action: OneOf(name, words)}
}

func NumberFlag(name string, value, least, most int, usage string, aliases ...string) cli.Flag {
	return &cli.IntFlag{Name: name, Aliases: aliases, Value: value, Usage: usage, Action: Between(name, least, most)}
}

// Between checks the value of a flag that takes a number from least to most.
func Between(name string, least, most int) func(*cli.Context, int) error {
	return func(c *cli.Context, n int) error {
		if least <= n && n <= most {
			return nil
		}
		return console.UsageError(c, fmt.Errorf("--%s: expected %d to %d, got %d", name, least, most, n), true)
	}
}

// OrAll checks the value of a --limit for which 0 means no limit.
func OrAll(c *cli.Context, n int) error {
	if n >= 0 {
		return nil
	}
	return console.UsageError(c, fmt.Errorf("--limit: expected 0 or more, got %d", n), true)
}

// filterFlags are those that search and list share.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		categoryFlag(),
		&cli.StringSliceFlag{Name: "status",
			Usage: "only memories of status `S`: active (default), retired, archived, all; may be repeated"},
		&cli.BoolFlag{Name: "include-retired", Usage: "retired memories too"},
		&cli.StringFlag{Name: "tag", Usage: "only memories with the tag `T`"},
	}
}

func ReadFilter(c *cli.Context) (f retrieve.Filter, err error) {
	f.Tag = text.Lower(strings.TrimSpace(c.String("tag")))
	if f.Categories, err = ReadCategories(c); err != nil {
		return f, err
	}
	f.Statuses, err = readStatuses(c)
	return f, err
}

// readStatuses returns the statuses that the filterFlags select, nil for all of them.
func readStatuses(c *cli.Context) (statuses []schemas.Status, err error) {
	for _, name := range c.StringSlice("status") {
		status := schemas.Status(strings.ToLower(name))
		if status != "all" && !slices.Contains(schemas.Statuses, status) {
			return nil, console.Usagef("--status: expected active, retired, archived or all, got %q", name)
		}
		statuses = append(statuses, status)
	}
	switch {
	case slices.Contains(statuses, "all"):
		return nil, nil
	case len(statuses) == 0:
		statuses = []schemas.Status{schemas.Active}
	}
	if c.Bool("include-retired") {
		statuses = append(statuses, schemas.Retired)
	}
	return statuses, nil
}

func categoryFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "category", Usage: "only memories of category `C`; may be repeated"}
}

func ReadCategories(c *cli.Context) (categories []schemas.Category, err error) {
	for _, name := range c.StringSlice("category") {
		category, err := ReadCategory(name)
		if err != nil {
			return nil, err
		}
		categories = append(categories, category)
	}
	return categories, nil
}

// ReadCategory takes the name of a category or of its folder, in any case.
func ReadCategory(name string) (schemas.Category, error) {
	plain := strings.ToLower(strings.TrimSpace(name))
	if category, ok := schemas.CategoryOfFolder(plain); ok {
		return category, nil
	}
	info, ok := schemas.Category(strings.ReplaceAll(plain, "-", "_")).Info()
	if !ok {
		return "", console.Usagef("--category: expected one of %s, got %q", CategoryNames(), name)
	}
	return info.Category, nil
}

func CategoryNames() string { return strings.Join(schemas.CategoryNames(), ", ") }

// Excludes returns an error if one of the flags is set together with another one.
func Excludes(c *cli.Context, flag string, others ...string) error {
	for _, name := range others {
		if c.IsSet(name) {
			return console.Usagef("--%s cannot be combined with --%s", flag, name)
		}
	}
	return nil
}

var ColorWhen = []string{"auto", "always", "never"}

// sharedFlags are those that the help files name.
func sharedFlags(name string) []cli.Flag {
	switch name {
	case "own":
		return OwnFlags()
	case "filter":
		return filterFlags()
	}
	flag, known := map[string]func() cli.Flag{
		"root": RootFlag, "json": JSONFlag, "anyway": AnywayFlag, "categories": categoryFlag,
		"color": func() cli.Flag {
			return ChoiceFlag("color", ColorWhen[0], "use colours `WHEN`: "+strings.Join(ColorWhen, ", ")+
				"; auto is on a terminal, unless NO_COLOR is set", ColorWhen)
		},
		"dry-run": func() cli.Flag {
			return &cli.BoolFlag{Name: "dry-run", Usage: "say what would be done and change nothing"}
		},
		"draft-category": func() cli.Flag {
			return &cli.StringFlag{Name: "category", Usage: "its category `C`: " + CategoryNames()}
		},
		"input": func() cli.Flag {
			return &cli.StringFlag{Name: "input", Usage: "read the memory from `FILE`, JSON that may have comments; " +
				"- is stdin. A staged file is removed when done"}
		},
		"plain-http": func() cli.Flag {
			return &cli.BoolFlag{Name: "plain-http",
				Usage: "allow a hub on another machine without TLS: others can read the token"}
		},
		"strategy": func() cli.Flag {
			return &cli.StringFlag{Name: "strategy",
				Usage: "rank by `S` instead of retrieval.match_strategy: " + strings.Join(schemas.Strategies, ", ")}
		},
	}[name]
	if !known { // it is that of a feature which is not there
		return nil
	}
	return []cli.Flag{flag()}
}
