package main

import (
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// hidden are the commands that people do not type.
var hidden = []string{"debug", "complete"}

// more are commands of some builds.
var more []func(Streams) *cli.Command

// commands lists every command, in the order of the help text, for a run of the one of that
// name. If it is "", all are complete.
func commands(std Streams, name string) []*cli.Command {
	list := []*cli.Command{
		newCommand(std, "setup", noAgent(store.OtherPrograms, "set memctl up"), runSetup, clientsFlag("those on this machine")),
		newCommand(std, "init", inProject, runInit),
		newCommand(std, "search", pastHere, runSearch,
			numberFlag("limit", 10, 1, maxLimit, "at most `N` results", "n"),
			numberFlag("budget", retrieve.DefaultBudget, retrieve.MinBudget, retrieve.MaxBudget,
				"at most `N` tokens, with --smart")),
		newCommand(std, "explain", pastHere, runExplain,
			numberFlag("left-out", 5, 0, maxLimit, "show at most `N` memories that were left out")),
		newCommand(std, "eval", fileHere, runEval),
		newCommand(std, "list", inProject, runList,
			choiceFlag("sort", retrieve.SortNames[0], "order by `KEY`: "+strings.Join(retrieve.SortNames, ", "),
				retrieve.SortNames),
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most `N` memories", DefaultText: "all",
				Action: orAll}),
		newCommand(std, "show", inProject, runShow),
		newCommand(std, "timeline", inProject, runTimeline,
			numberFlag("window", retrieve.DefaultWindow, 0, retrieve.MaxWindow, "`N` events before it and after it")),
		newCommand(std, "candidate", inProject, runCandidate,
			&cli.StringFlag{Name: "category", Usage: "look among memories of category `C`: " + categoryNames()},
			choiceFlag("lifecycle-event", "", "the subject was `E`: "+strings.Join(retrieve.LifecycleEvents, ", "),
				retrieve.LifecycleEvents)),
		stageCommand(std),
		addCommand(std, name),
		newCommand(std, "edit", inProject, runEdit),
		newCommand(std, "create", inProject, runCreate),
		newCommand(std, "update", inProject, runUpdate),
		newCommand(std, "adopt", inProject, runAdopt),
		moveCommand(std, "retire", "keep", "keep it for good: memctl gc never takes it (archived)",
			writer.Retire, writer.Archive),
		moveCommand(std, "restore", "kept", "it was retired with --keep", writer.Restore, writer.Unarchive),
		newCommand(std, "move", inProject, runTransfer,
			&cli.StringFlag{Name: "to", Usage: "whose it becomes: `SCOPE` user or project", Action: oneOf("to", scopes)}),
		newCommand(std, "gc", inProject, runGC),
		newCommand(std, "scrub", inProject, runScrub),
		newCommand(std, "observations", inProject, runObservations,
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all", Action: orAll}),
		newCommand(std, "stats", inProject, rooted(runStats)),
		newCommand(std, "triage", fileHere, runTriage),
		newCommand(std, "trust", answersTrust, runTrust),
		configCommand(std),
		newCommand(std, "reindex", inProject, rooted(runReindex)),
		group(newCommand(std, "roots", may{{Access: store.AllProjects}}, runRoots),
			newCommand(std, "roots add", aPerson(store.OtherProjects, "add projects", rootsAddQuestion), runRootsAdd),
			countingArguments(newCommand(std, "roots forget", noAgent(store.OtherProjects, "forget projects"), runRootsForget)),
			newCommand(std, "roots rebuild", noAgent(store.OtherProjects, "read all projects"), runRootsRebuild)),
		filledIn(newCommand(std, "install", setsClients, runInstall, clientsFlag(clients.Claude.Name), scopeFlag(),
			choiceFlag("notes", "", "the notes that Claude Code keeps on a project: `CHOICE` read, move or leave",
				notesChoices)), clients.AgentCommands),
		newCommand(std, "uninstall", setsClients, runUninstall, clientsFlag(clients.Claude.Name), scopeFlag()),
		hookCommand(std, hooks.NewRun(std.hooks(), clients.Claude)),
		newCommand(std, "completion", onlyTells, runCompletion),
		newCommand(std, "version", onlyTells, runVersion),
		group(newCommand(std, "debug", onlyTells, showSubcommands), newCommand(std, "debug tokenize", onlyTells, debugTokenize),
			newCommand(std, "debug score", onlyTells, debugScore)),
		newCommand(std, "complete", noAgent(store.OtherProjects, "complete words"), runComplete),
	}
	for _, f := range std.Features {
		if f.Commands != nil {
			list = append(list, f.Commands(std)...)
		}
	}
	for _, command := range list {
		command.Hidden = command.Hidden || slices.Contains(hidden, command.Name)
		if slices.Contains(countsArguments, command.Name) {
			countingArguments(command)
		}
	}
	for _, command := range more {
		list = append(list, command(std))
	}
	return list
}

func newApp(std Streams, commands ...*cli.Command) *cli.App {
	app := &cli.App{
		Name:            "memctl",
		Usage:           "a memory for coding agents, in files you can review",
		Description:     std.help().Read("memctl"),
		Version:         console.ThisBuild(commit).String(),
		Reader:          std.In,
		Writer:          std.Out,
		ErrWriter:       std.Err,
		HideHelpCommand: true,
		Flags:           []cli.Flag{rootFlag()},
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
	console.Prepare(app.Commands, std.withHint)
	return app
}

const version = console.Version

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func runVersion(c *cli.Context, std Streams) error {
	return printResult(c, std, console.ThisBuild(commit), "version")
}

// countsArguments are commands that look at the number of their arguments themselves.
var countsArguments = []string{"completion", "eval", "triage"}

// commandGroups are the groups of commands in the help of memctl: those on its first screen, and the others in
// "memctl help all".
func commandGroups(std Streams, commands []*cli.Command) (first, others string) {
	var b strings.Builder
	for line := range strings.SplitSeq(std.help().Read("groups"), "\n") {
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

// firstScreen is what memctl says when it is called alone.
func firstScreen(std Streams, commands []*cli.Command) string {
	groups, _ := commandGroups(std, commands)
	return "memctl: a memory for coding agents, in files you can review\n" + groups + "\n" + std.help().Read("first") + "\n"
}

func showAllHelp(c *cli.Context, std Streams) error {
	first, others := commandGroups(std, c.App.Commands)
	_, err := fmt.Fprint(c.App.Writer, std.help().Read("memctl")+"\n"+first+others)
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
func renew(args []string, std Streams) []string {
	at := commandAt(args)
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
