package main

import (
	"memctl/clients"
	"memctl/cmd/console"
	"memctl/hooks"

	"github.com/urfave/cli/v2"
)

const description = `Memories are JSON files in a project's .claude/memory/, which people read, review
and commit. An SQLite index derived from them answers each prompt; delete it and
nothing is lost. memctl calls no model and runs no daemon. Only publish, --hub and the
MCP scope hub use the network, to ask the hub that you name.

Start with "memctl init" and "memctl install" in a project. "memctl search WORDS"
shows what a prompt would find, "memctl explain PROMPT" why, "memctl doctor" what to
do if nothing happens. "memctl COMMAND --help" explains each command.

The memory root is the one that --root names, else $MEMCTL_ROOT, else the first
.claude/memory in $CLAUDE_PROJECT_DIR or the working folder, or above.

Exit status: 0 done, 1 refused or something was found wrong, 2 wrong usage.
Results go to stdout, messages to stderr.`

// hidden are the commands that people do not type.
var hidden = []func(streams) *cli.Command{debugCommand, completeCommand, mergeDriverCommand, textconvCommand}

// commands lists every command, in the order of the help text.
func commands(std streams) []*cli.Command {
	list := []*cli.Command{
		initCommand(std),
		searchCommand(std),
		explainCommand(std),
		evalCommand(std),
		listCommand(std),
		showCommand(std),
		timelineCommand(std),
		logCommand(std),
		blameCommand(std),
		candidateCommand(std),
		stageCommand(std),
		catalogued(addCommand(std)),
		catalogued(editCommand(std)),
		openCommand(std),
		catalogued(createCommand(std)),
		catalogued(updateCommand(std)),
		catalogued(retireCommand(std)),
		catalogued(archiveCommand(std)),
		catalogued(unarchiveCommand(std)),
		catalogued(restoreCommand(std)),
		transferCommand(std),
		catalogued(gcCommand(std)),
		catalogued(enforceCommand(std)),
		scrubCommand(std),
		catalogued(resolveCommand(std)),
		catalogued(importCommand(std)),
		exportCommand(std),
		publishCommand(std),
		observationsCommand(std),
		statsCommand(std),
		triageCommand(std),
		catalogued(configCommand(std)),
		statusCommand(std),
		healthCommand(std),
		catalogued(reviewCommand(std)),
		validateCommand(std),
		doctorCommand(std),
		reindexCommand(std),
		rootsCommand(std),
		uiCommand(std),
		mcpCommand(std),
		hubCommand(std),
		installCommand(std),
		uninstallCommand(std),
		hookCommand(hooks.NewRun(std, clients.Claude)),
		completionCommand(std),
		versionCommand(std),
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
		Description:     description,
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
