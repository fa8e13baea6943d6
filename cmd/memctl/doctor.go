package main

import (
	"fmt"
	"strings"
	"time"

	"memctl/doctor"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"

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

// problemLines lists the files that are not valid memories, the first of n.
func problemLines(n int, list []schemas.Problem) string {
	if n == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", text.Plural(n, "file is not a valid memory", "files are not valid memories"))
	for _, p := range list {
		fmt.Fprintf(&out, "  %s: %s\n", text.Printable(p.Path), text.Printable(p.Reason))
	}
	if more := n - len(list); more > 0 {
		fmt.Fprintf(&out, "  and %d more; memctl validate lists them\n", more)
	}
	return out.String()
}

func runValidate(c *cli.Context, std streams, root memdir.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return printFindings(c, std, validation, "validation", len(validation.Findings) > 0)
}
