package main

import (
	"text/template"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/doctor"
	"memctl/files"

	"github.com/urfave/cli/v2"
)

func doctorFeature() command.Feature {
	return command.Feature{
		Name: "doctor",
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{command.NewCommand(std, "doctor", command.InProject, runDoctor), command.NewCommand(std, "validate", command.InProject, command.Rooted(runValidate))}
		},
		Words: template.FuncMap{
			"retiredDays": func() int { return doctor.RetiredDays },
			"state":       func(s doctor.State, printed string) string { return console.Mark(stateStyles[s], printed) },
		},
	}
}

var stateStyles = map[doctor.State]console.Style{doctor.OK: console.Green, doctor.Warning: console.Yellow, doctor.Failed: console.Red}

func runDoctor(c *cli.Context, std command.Streams) error {
	if c.Bool("memories") {
		return command.Rooted(runHealth)(c, std)
	}
	places := files.PlacesFromEnv(command.RootArg(c), "")
	report, err := doctor.Run(c.Context, doctor.Options{Version: console.Version, Places: places, Now: time.Now(),
		AskHub: c.Bool("hub"), PlainHTTP: c.Bool("plain-http")})
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, report, "diagnosis", report.State == doctor.Failed)
}

func runHealth(c *cli.Context, std command.Streams, root files.Root) error {
	health, err := doctor.Health(c.Context, root, time.Now())
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, health, "health", health.Verdict != doctor.GoodHealth)
}

func runValidate(c *cli.Context, std command.Streams, root files.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, validation, "validation", len(validation.Findings) > 0)
}
