package main

import (
	"time"

	"memctl/doctor"
	"memctl/memdir"

	"github.com/urfave/cli/v2"
)

func runDoctor(c *cli.Context, std streams) error {
	if c.Bool("memories") {
		return rooted(runHealth)(c, std)
	}
	places := memdir.PlacesFromEnv(rootArg(c), "")
	report, err := doctor.Run(c.Context, doctor.Options{Version: version, Places: places, Now: time.Now(),
		AskHub: c.Bool("hub"), PlainHTTP: c.Bool("plain-http")})
	if err != nil {
		return err
	}
	return printFindings(c, std, report, "diagnosis", report.State == doctor.Failed)
}

func runHealth(c *cli.Context, std streams, root memdir.Root) error {
	health, err := doctor.Health(c.Context, root, time.Now())
	if err != nil {
		return err
	}
	return printFindings(c, std, health, "health", health.Verdict != doctor.GoodHealth)
}

func runValidate(c *cli.Context, std streams, root memdir.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return printFindings(c, std, validation, "validation", len(validation.Findings) > 0)
}
