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
		"excerpt":  excerpt,
		"because":  because,
		"given":    memoryUse.given,
		"outcome":  outcomeOf,
		"reasons":  reasonsOf,
		"rootNote": rootNote,
		"section":  sectionOf,
		"setting":  settingValue,
		"share":    shareOf,
		"subject":  subjectOf,
		"titleOf":  titleOf,
		"used":     memoryUse.used,
		"whole":    wholeOf,
	}}
}
