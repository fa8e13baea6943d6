package main

import (
	"memctl/cmd/command"
	"memctl/files"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

// reaching are the flags of the core that reach beyond the project.
func reaching() []command.FlagAccess {
	return []command.FlagAccess{
		{Flag: "root", May: command.May{{Access: store.OtherRoot}}.When("another project", namesOther)},
		{Flag: "all", Of: "search,list", May: command.May{{Access: store.AllProjects}}},
		{Flag: "user", May: command.Anyone(store.OwnMemories)},
		{Flag: "scope", May: command.Anyone(store.OwnMemories)},
		{Flag: "to", Of: "move", May: command.Anyone(store.OwnMemories)},
		{Flag: "input",
			May: command.NoAgent(store.FilesOutside, command.ReadOutside).When("outside",
				command.FlagOutside("input"))},
		{Flag: "team", Of: "trust",
			May: command.NoAgent(store.OwnSettings, changeSettings).When("unless it only lists", givesAnswer)},
	}
}

// What agents may not.
const changeSettings = "change your own settings"

// What several commands of the core declare.
var (
	mySettings = command.InProject.And(
		command.APerson(store.OwnSettings, changeSettings, settingQuestion).When("in your own settings",
			inUsersSettings))
	oneSetting = mySettings.And(
		command.NoAgent(store.ThisProject, "change it").When("among the settings, capture.review", isOfReview))
	answersTrust = command.InProject.And(
		command.NoAgent(store.OwnSettings, "answer for the user").When("unless it only lists", givesAnswer))
)

func namesOther(c *cli.Context) bool { return command.Places(c).NamesOther() }

func givesAnswer(c *cli.Context) bool { return !onlyLists(c) }

func notWithdraw(c *cli.Context) bool { return !c.Bool("withdraw") }

func isOfReview(c *cli.Context) bool { return c.Args().First() == "capture.review" }

// inUsersSettings reports whether a command is about the user's own settings, whatever names them.
func inUsersSettings(c *cli.Context) bool {
	if scope, err := command.ReadScope(c); err != nil || scope == files.UserScope {
		return err == nil
	}
	root, err := command.FindRoot(c)
	return err == nil && files.IsUsers(root)
}
