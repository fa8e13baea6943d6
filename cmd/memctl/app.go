package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/memdir"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// hidden are the commands that people do not type.
var hidden = []func(streams) *cli.Command{debugCommand, completeCommand, mergeDriverCommand, textconvCommand}

// commands lists every command, in the order of the help text, for a run of the one of that
// name. If it is "", all are complete.
func commands(std streams, name string) []*cli.Command {
	list := []*cli.Command{
		initCommand(std),
		searchCommand(std),
		explainCommand(std),
		newCommand(std, "eval", runEval, rootFlag(), jsonFlag(), strategyFlag()),
		listCommand(std),
		showCommand(std),
		timelineCommand(std),
		logCommand(std),
		blameCommand(std),
		candidateCommand(std),
		stageCommand(std),
		addCommand(std, name),
		editCommand(std),
		openCommand(std),
		createCommand(std),
		updateCommand(std),
		adoptCommand(std),
		moveCommand(std, "retire", (*writer.Writer).Retire),
		moveCommand(std, "archive", (*writer.Writer).Archive),
		moveCommand(std, "unarchive", (*writer.Writer).Unarchive),
		moveCommand(std, "restore", (*writer.Writer).Restore),
		transferCommand(std),
		newCommand(std, "gc", runGC, rootFlag(), dryRunFlag(), jsonFlag()),
		newCommand(std, "enforce", runEnforce, rootFlag(), categoryFlag(), dryRunFlag(), jsonFlag()),
		newCommand(std, "scrub", runScrub, rootFlag(), dryRunFlag(), jsonFlag()),
		resolveCommand(std),
		importCommand(std),
		exportCommand(std),
		publishCommand(std),
		observationsCommand(std),
		newCommand(std, "stats", rooted(runStats), rootFlag(), jsonFlag(), colorFlag(),
			&cli.BoolFlag{Name: "memories", Usage: "which memories prompts received, how often and when last"}),
		newCommand(std, "triage", runTriage, rootFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"}),
		configCommand(std),
		newCommand(std, "status", rooted(runStatus), rootFlag(), jsonFlag()),
		newCommand(std, "health", rooted(runHealth), rootFlag(), jsonFlag()),
		reviewCommand(std),
		newCommand(std, "validate", rooted(runValidate), rootFlag(), jsonFlag()),
		newCommand(std, "doctor", runDoctor, rootFlag(), jsonFlag(), hubFlag("ask your hub, too"), plainHTTPFlag()),
		newCommand(std, "reindex", rooted(runReindex), rootFlag(), jsonFlag()),
		rootsCommand(std),
		uiCommand(std),
		newCommand(std, "mcp", runMcp, rootFlag()),
		hubCommand(std),
		installCommand(std),
		newCommand(std, "uninstall", runUninstall, rootFlag(), clientsFlag(), scopeFlag(),
			gitFlag("only take out what install --git added"), dryRunFlag(), jsonFlag()),
		hookCommand(hooks.NewRun(std, clients.Claude)),
		newCommand(std, "completion", runCompletion),
		newCommand(std, "version", runVersion, jsonFlag()),
	}
	for _, command := range hidden {
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
		Action:          console.NoCommand,
		Commands:        commands,
	}
	console.Prepare(app.Commands, withHint)
	return app
}

const version = console.Version

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func runVersion(c *cli.Context, std streams) error {
	return printResult(c, std, console.ThisBuild(commit),
		func(out io.Writer, b console.Build) { fmt.Fprintln(out, "memctl version", b) })
}

//go:embed help
var helpFiles embed.FS

var help = console.Help{Files: helpFiles, Program: "memctl"}

// action is what a command does.
type action func(c *cli.Context, std streams) error

// newCommand returns the command of a name, with its help. It refuses arguments if the help names none.
func newCommand(std streams, name string, run action, flags ...cli.Flag) *cli.Command {
	cmd := help.Command(name, func(c *cli.Context) error { return run(c, std) }, flags...)
	if cmd.ArgsUsage == "" {
		cmd.Before = func(c *cli.Context) error { return noArguments(c, insteadOfArguments[name]) }
	}
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
func rooted(run func(c *cli.Context, std streams, root memdir.Root) error) action {
	return func(c *cli.Context, std streams) error {
		root, err := findRoot(c)
		if err != nil {
			return err
		}
		return run(c, std, root)
	}
}
