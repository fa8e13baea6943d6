package main

import (
	"embed"
	"text/template"

	"memctl/cmd/command"
)

//go:embed help answers
var coreTexts embed.FS

// core is what the commands of the core need of the package command, which knows no command.
func core() command.Feature {
	return command.Feature{Name: "core", Texts: coreTexts, Reaching: reaching(), Words: template.FuncMap{
		"because": because,
		"reasons": reasonsOf,
		"section": sectionOf,
		"setting": settingValue,
	}}
}
