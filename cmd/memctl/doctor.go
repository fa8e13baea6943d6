package main

import (
	"text/template"
	"time"

	"memctl/cmd/console"
	"memctl/features/doctor"
	"memctl/files"

	"github.com/urfave/cli/v2"
)

func doctorFeature() Feature {
	return Feature{
		Name: "doctor",
		Commands: func(std Streams) []*cli.Command {
			return []*cli.Command{newCommand(std, "doctor", inProject, runDoctor), newCommand(std, "validate", inProject, rooted(runValidate))}
		},
		Words: template.FuncMap{
			"retiredDays": func() int { return doctor.RetiredDays },
			"state":       func(s doctor.State, printed string) string { return console.Mark(stateStyles[s], printed) },
		},
	}
}

var stateStyles = map[doctor.State]console.Style{doctor.OK: console.Green, doctor.Warning: console.Yellow, doctor.Failed: console.Red}

func runDoctor(c *cli.Context, std Streams) error {
	if c.Bool("memories") {
		return rooted(runHealth)(c, std)
	}
	places := files.PlacesFromEnv(rootArg(c), "")
	report, err := doctor.Run(c.Context, doctor.Options{Version: version, Places: places, Now: time.Now(),
		AskHub: c.Bool("hub"), PlainHTTP: c.Bool("plain-http")})
	if err != nil {
		return err
	}
	return printFindings(c, std, report, "diagnosis", report.State == doctor.Failed)
}

func runHealth(c *cli.Context, std Streams, root files.Root) error {
	health, err := doctor.Health(c.Context, root, time.Now())
	if err != nil {
		return err
	}
	return printFindings(c, std, health, "health", health.Verdict != doctor.GoodHealth)
}

func runValidate(c *cli.Context, std Streams, root files.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return printFindings(c, std, validation, "validation", len(validation.Findings) > 0)
}
