package main

import (
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// commands lists every command, in the order of the help text, for a run of the one of that
// name. If it is "", all are complete.
func commands(std command.Streams, name string) []*cli.Command {
	list := []*cli.Command{
		command.NewCommand(std, "init", command.InProject, runInit),
		command.NewCommand(std, "search", command.PastHere, runSearch,
			command.NumberFlag("limit", 10, 1, command.MaxLimit, "at most `N` results", "n"),
			&cli.StringFlag{Name: "as-of", Usage: "find memories that held on `DATE`: 2026-03-02, 2026-03, or a time"},
			command.NumberFlag("budget", retrieve.DefaultBudget, retrieve.MinBudget, retrieve.MaxBudget,
				"at most `N` tokens, with --smart")),
		command.NewCommand(std, "explain", command.PastHere, runExplain,
			command.NumberFlag("left-out", 5, 0, command.MaxLimit, "show at most `N` memories that were left out")),
		command.NewCommand(std, "list", command.InProject, runList,
			command.ChoiceFlag("sort", retrieve.SortNames[0], "order by `KEY`: "+strings.Join(retrieve.SortNames, ", "),
				retrieve.SortNames),
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` memories", DefaultText: "all",
				Action: command.OrAll}),
		command.NewCommand(std, "show", command.InProject, runShow),
		command.NewCommand(std, "timeline", command.InProject, runTimeline,
			command.NumberFlag("window", retrieve.DefaultWindow, 0, retrieve.MaxWindow,
				"`N` events before it and after it")),
		command.NewCommand(std, "candidate", command.InProject, runCandidate,
			&cli.StringFlag{Name: "category", Usage: "look among memories of category `C`: " + command.CategoryNames()},
			command.ChoiceFlag("lifecycle-event", "",
				"the subject was `E`: "+strings.Join(retrieve.LifecycleEvents, ", "),
				retrieve.LifecycleEvents)),
		stageCommand(std),
		addCommand(std, name),
		command.NewCommand(std, "edit", command.InProject, runEdit,
			&cli.BoolFlag{Name: "rename", Usage: "open no editor: give its file the name that its title says"}),
		command.NewCommand(std, "create", command.InProject, runCreate),
		command.NewCommand(std, "update", command.InProject, runUpdate),
		command.NewCommand(std, "adopt", command.InProject, runAdopt),
		moveCommand(std, "retire", "keep", "keep it for good: memctl gc never takes it (archived)",
			writer.Retire, writer.Archive),
		moveCommand(std, "restore", "kept", "it was retired with --keep", writer.Restore, writer.Unarchive),
		command.NewCommand(std, "move", command.InProject, runTransfer,
			&cli.StringFlag{Name: "to", Usage: "whose it becomes: `SCOPE` user or project",
				Action: command.OneOf("to", command.Scopes)}),
		command.NewCommand(std, "supersede", command.InProject, runSupersede),
		command.NewCommand(std, "gc", command.InProject, runGC),
		command.NewCommand(std, "scrub", command.InProject, runScrub),
		command.CountingArguments(command.NewCommand(std, "triage", command.FileHere, runTriage)),
		command.NewCommand(std, "trust", answersTrust, runTrust),
		configCommand(std),
		command.NewCommand(std, "reindex", command.InProject, command.Rooted(runReindex)),
		hookCommand(std, hooks.NewRun(std.Hooks(), clients.Claude)),
		command.NewCommand(std, "version", command.OnlyTells, runVersion),
		debugCommand(std),
	}
	for _, f := range std.Features {
		if f.Commands != nil {
			list = append(list, f.Commands(std)...)
		}
	}
	for _, made := range more {
		list = append(list, made(std))
	}
	return list
}

func newApp(std command.Streams, commands ...*cli.Command) *cli.App {
	app := &cli.App{
		Name:            "memctl",
		Usage:           "a memory for coding agents, in files you can review",
		Description:     std.Help().Read("memctl"),
		Version:         console.ThisBuild(commit).String(),
		Reader:          std.In,
		Writer:          std.Out,
		ErrWriter:       std.Err,
		HideHelpCommand: true,
		Flags:           []cli.Flag{command.RootFlag()},
		ExitErrHandler:  func(*cli.Context, error) {}, // run decides
		OnUsageError:    console.UsageError,
		Action: func(c *cli.Context) error {
			if c.Args().First() == "help" && c.Args().Get(1) == "all" {
				return showAllHelp(c, std)
			}
			return console.NoCommand(c)
		},
		Commands:              commands,
		CustomAppHelpTemplate: firstScreen(std, commands),
	}
	console.Prepare(app.Commands, std.WithHint)
	return app
}

const version = console.Version

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func runVersion(c *cli.Context, std command.Streams) error {
	return command.PrintResult(c, std, console.ThisBuild(commit), "version")
}

// commandGroups are the groups of commands in the help of memctl: those on its first screen, and the others in
// "memctl help all".
func commandGroups(std command.Streams, commands []*cli.Command) (first, others string) {
	var b strings.Builder
	for line := range strings.SplitSeq(std.Help().Read("groups"), "\n") {
		title, names, _ := strings.Cut(line, ":")
		if title == "" {
			first = b.String()
			b.Reset()
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", title)
		for name := range strings.FieldsSeq(names) {
			if command := console.CommandNamed(commands, name); command != nil {
				fmt.Fprintf(&b, "  %-13s %s\n", name, command.Usage)
			}
		}
	}
	return first, b.String()
}

// firstScreen is the text that memctl prints without arguments.
func firstScreen(std command.Streams, commands []*cli.Command) string {
	groups, _ := commandGroups(std, commands)
	return "memctl: a memory for coding agents, in files you can review\n" + groups + "\n" +
		std.Help().Read("first") + "\n"
}

func showAllHelp(c *cli.Context, std command.Streams) error {
	first, others := commandGroups(std, c.App.Commands)
	_, err := fmt.Fprint(c.App.Writer, std.Help().Read("memctl")+"\n"+first+others)
	return err
}

// renamed are the commands that had a name of their own until 0.2, with what does the same now. Their old
// names work until 0.4.
var renamed = map[string]string{
	"archive":   "retire --keep",
	"unarchive": "restore --kept",
	"open":      "show --path",
	"status":    "doctor --memories",
	"health":    "doctor --memories",
	"enforce":   "gc --limits",
	"log":       "history",
	"blame":     "history --fields",
	"publish":   "hub publish",
}

// renew puts the name of today in the place of an old one, and says so on stderr.
func renew(args []string, std command.Streams) []string {
	at := command.CommandAt(args)
	helping := at < len(args)-1 && args[at] == "help"
	if helping {
		at++
	}
	if at == len(args) || renamed[args[at]] == "" {
		return args
	}
	old, now := args[at], renamed[args[at]]
	if i := slices.Index(args, "--editor"); old == "open" && i > at {
		now, args = "edit", slices.Delete(slices.Clone(args), i, i+1)
	}
	console.Note(std.Err, `"memctl %s" is "memctl %s" now`, old, now)
	if helping {
		now, _, _ = strings.Cut(now, " --")
	}
	return slices.Concat(args[:at], strings.Fields(now), args[at+1:])
}
