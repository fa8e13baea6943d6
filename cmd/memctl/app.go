package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/exchange"
	"memctl/features/review"
	"memctl/files"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// hidden are the commands that people do not type.
var hidden = []string{"debug", "complete", "merge-driver", "textconv"}

// more are commands of some builds.
var more []func(streams) *cli.Command

// commands lists every command, in the order of the help text, for a run of the one of that
// name. If it is "", all are complete.
func commands(std streams, name string) []*cli.Command {
	list := []*cli.Command{
		newCommand(std, "setup", noAgent(store.OtherPrograms, "set memctl up"), runSetup,
			clientsFlag("those on this machine")),
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
		newCommand(std, "history", inProject, runHistory,
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all",
				Action: orAll}),
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
			&cli.StringFlag{Name: "to", Usage: "whose it becomes: `SCOPE` user or project",
				Action: oneOf("to", scopes)}),
		newCommand(std, "gc", inProject, runGC),
		newCommand(std, "scrub", inProject, runScrub),
		newCommand(std, "resolve", inProject, runResolve),
		filledIn(newCommand(std, "import", inProject.and(outside.when("a source outside", argumentsOutside(1))),
			runImport), listOfWords(13, importForms())),
		filledIn(newCommand(std, "export", inProject, runExport,
			numberFlag("budget", exchange.Budget, 100, 100_000, "of claude-md: take at most `N` tokens")),
			listOfWords(10, exportForms)),
		newCommand(std, "observations", inProject, runObservations,
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all",
				Action: orAll}),
		newCommand(std, "stats", inProject, rooted(runStats)),
		sessionsCommand(std),
		newCommand(std, "triage", fileHere, runTriage),
		newCommand(std, "trust", answersTrust, runTrust),
		configCommand(std),
		filledIn(newCommand(std, "review", inProject, runReview,
			numberFlag("days", review.DefaultDays, 1, 36_500, "report items open or unused for `N` days"),
			numberFlag("commits", review.DefaultCommits, 1, 1_000_000,
				"report memories whose related files changed in `N` or more commits")),
			listOfWords(11, reviewKindWords())),
		newCommand(std, "validate", inProject, rooted(runValidate)),
		newCommand(std, "doctor", inProject, runDoctor),
		newCommand(std, "reindex", inProject, rooted(runReindex)),
		group(newCommand(std, "roots", may{{Access: store.AllProjects}}, runRoots),
			newCommand(std, "roots add", aPerson(store.OtherProjects, "add projects", rootsAddQuestion), runRootsAdd),
			newCommand(std, "roots forget", noAgent(store.OtherProjects, "forget projects"), runRootsForget),
			newCommand(std, "roots rebuild", noAgent(store.OtherProjects, "read all projects"), runRootsRebuild)),
		newCommand(std, "ui", noAgent(store.OtherProjects, "open the pages"), runUI,
			&cli.IntFlag{Name: "port", Usage: "listen on port `N`", DefaultText: "a free one",
				Action: between("port", 1, 65535)}),
		newCommand(std, "mcp", inProject, runMcp),
		hubCommand(std),
		filledIn(newCommand(std, "install", setsClients, runInstall, clientsFlag(clients.Claude.Name), scopeFlag(),
			choiceFlag("notes", "", "the notes that Claude Code keeps on a project: `CHOICE` read, move or leave",
				notesChoices)), clients.AgentCommands),
		newCommand(std, "uninstall", setsClients, runUninstall, clientsFlag(clients.Claude.Name), scopeFlag()),
		hookCommand(hooks.NewRun(std, clients.Claude)),
		newCommand(std, "completion", onlyTells, runCompletion),
		newCommand(std, "version", onlyTells, runVersion),
		group(newCommand(std, "debug", onlyTells, showSubcommands), newCommand(std, "debug tokenize", onlyTells,
			debugTokenize),
			newCommand(std, "debug score", onlyTells, debugScore)),
		newCommand(std, "complete", noAgent(store.OtherProjects, "complete words"), runComplete),
		newCommand(std, "merge-driver", fileHere, runMergeDriver),
		newCommand(std, "textconv", fileHere, runTextconv),
	}
	for _, command := range more {
		list = append(list, command(std))
	}
	return list
}

func newApp(std streams, commands ...*cli.Command) *cli.App {
	app := &cli.App{
		Name:            "memctl",
		Usage:           "a memory for coding agents, in files you can review",
		Description:     help.Read("memctl"),
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
				return showAllHelp(c)
			}
			return console.NoCommand(c)
		},
		Commands:              commands,
		CustomAppHelpTemplate: firstScreen(commands),
	}
	console.Prepare(app.Commands, withHint)
	return app
}

const version = console.Version

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func runVersion(c *cli.Context, std streams) error {
	return printResult(c, std, console.ThisBuild(commit), "version")
}

//go:embed help
var helpFiles embed.FS

var help = console.Help{Files: helpFiles, Program: "memctl", Shared: sharedFlags}

type action func(c *cli.Context, std streams) error

// countsArguments are commands that look at the number of their arguments themselves.
var countsArguments = []string{"completion", "eval", "export", "triage", "roots forget"}

// newCommand returns the command of a name, with its help. It takes the arguments that the help names, and refuses
// those who may not.
func newCommand(std streams, name string, rules may, run action, flags ...cli.Flag) *cli.Command {
	cmd := help.Command(name, guarded(std, name, rules, run), flags...)
	cmd.Hidden = slices.Contains(hidden, name)
	switch {
	case cmd.ArgsUsage == "":
		cmd.Before = func(c *cli.Context) error { return noArguments(c, insteadOfArguments[name]) }
	case !strings.ContainsAny(cmd.ArgsUsage, "[]|.") && !slices.Contains(countsArguments, name):
		cmd.Before = func(c *cli.Context) error { return arguments(c, strings.Fields(cmd.ArgsUsage)...) }
	}
	return cmd
}

// filledIn puts a list into the description of a command.
func filledIn(cmd *cli.Command, list string) *cli.Command {
	cmd.Description = fmt.Sprintf(cmd.Description, list)
	return cmd
}

// group gives a command subcommands. Alone, it does what it did without them.
func group(cmd *cli.Command, subcommands ...*cli.Command) *cli.Command {
	var names []string
	for _, sub := range subcommands {
		names = append(names, sub.Name)
	}
	last := len(names) - 1
	alone := cmd.Action
	cmd.Subcommands, cmd.Before = subcommands, nil
	cmd.Action = func(c *cli.Context) error {
		if name := c.Args().First(); name != "" {
			return console.Usagef("unknown subcommand %q of %s: expected %s or %s", name, cmd.Name,
				strings.Join(names[:last], ", "), names[last])
		}
		return alone(c)
	}
	return cmd
}

// showSubcommands is the action of a group that does nothing alone.
func showSubcommands(c *cli.Context, _ streams) error { return cli.ShowSubcommandHelp(c) }

// rooted is the action of a command on all of a memory root.
func rooted(run func(c *cli.Context, std streams, root files.Root) error) action {
	return func(c *cli.Context, std streams) error {
		root, err := findRoot(c)
		if err != nil {
			return err
		}
		return run(c, std, root)
	}
}

// commandGroups are the groups of commands in the help of memctl: those on its first screen, and the others in
// "memctl help all".
func commandGroups(commands []*cli.Command) (first, others string) {
	var b strings.Builder
	for line := range strings.SplitSeq(help.Read("groups"), "\n") {
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
func firstScreen(commands []*cli.Command) string {
	groups, _ := commandGroups(commands)
	return "memctl: a memory for coding agents, in files you can review\n" + groups + "\n" + help.Read("first") + "\n"
}

func showAllHelp(c *cli.Context) error {
	first, others := commandGroups(c.App.Commands)
	_, err := fmt.Fprint(c.App.Writer, help.Read("memctl")+"\n"+first+others)
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
func renew(args []string, std streams) []string {
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
