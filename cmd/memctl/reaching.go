package main

import (
	"github.com/urfave/cli/v2"
	"memctl/clients"
	"memctl/files"
	"memctl/store"
)

// reaching are the flags of the core that reach beyond the project.
func reaching() []FlagAccess {
	return []FlagAccess{
		{"root", "", may{{Access: store.OtherRoot}}.when("another project", namesOther)},
		{"all", "search,list", may{{Access: store.AllProjects}}},
		{"user", "", anyone(store.OwnMemories)},
		{"scope", "install,uninstall", noAgent(store.OtherPrograms, changeClients).when("user", inUserScope)},
		{"scope", "", anyone(store.OwnMemories)},
		{"to", "move", anyone(store.OwnMemories)},
		{"permissions", "install", aPerson(store.OtherPrograms, "decide what agents do unasked", permissionsQuestion)},
		{"notes", "install", noAgent(store.OwnSettings, changeSettings)},
		{"input", "", noAgent(store.FilesOutside, readOutside).when("outside", flagOutside("input"))},
		{"team", "trust", noAgent(store.OwnSettings, changeSettings).when("unless it only lists", givesAnswer)},
	}
}

// What agents may not.
const (
	changeClients  = "change the settings of your clients"
	changeSettings = "change your own settings"
)

// What several commands of the core declare.
var (
	mySettings = inProject.and(
		aPerson(store.OwnSettings, changeSettings, settingQuestion).when("in your own settings", inUsersSettings))
	answersTrust = inProject.and(noAgent(store.OwnSettings, "answer for the user").when("unless it only lists",
		givesAnswer))
	setsClients = inProject.and(
		noAgent(store.OtherPrograms, changeClients).when("unless it is for git or a dry run", changesFiles))
)

func namesOther(c *cli.Context) bool { return places(c).NamesOther() }

func inUserScope(c *cli.Context) bool { return c.String("scope") == clients.UserScope }

func givesAnswer(c *cli.Context) bool { return !onlyLists(c) }

func notWithdraw(c *cli.Context) bool { return !c.Bool("withdraw") }

func changesFiles(c *cli.Context) bool {
	return !c.Bool("git") && !c.Bool("dry-run") && !c.Bool("print")
}

// inUsersSettings reports whether a command is about the user's own settings, whatever names them.
func inUsersSettings(c *cli.Context) bool {
	if scope, err := readScope(c); err != nil || scope == files.UserScope {
		return err == nil
	}
	root, err := findRoot(c)
	return err == nil && files.IsUsers(root)
}
