package main

import (
	"fmt"
	"io"
	"time"

	"memctl/doctor"
	"memctl/memdir"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func doctorCommand(std streams) *cli.Command {
	return newCommand(std, "doctor", runDoctor, rootFlag(), jsonFlag(), hubFlag("ask your hub, too"), plainHTTPFlag())
}

func runDoctor(c *cli.Context, std streams) error {
	if err := noArguments(c, ""); err != nil {
		return err
	}
	places := memdir.PlacesFromEnv(rootArg(c), "")
	report, err := doctor.Run(c.Context, doctor.Options{Version: version, Places: places, Now: time.Now(), AskHub: c.Bool("hub"), PlainHTTP: c.Bool("plain-http")})
	if err != nil {
		return err
	}
	return printFindings(c, std, report, printDiagnosis, report.State == doctor.Failed)
}

// printDiagnosis prints what doctor found, with a fix for each warning and failure.
func printDiagnosis(out io.Writer, r doctor.Report) {
	counts := map[doctor.State]int{}
	width := 0
	for _, f := range r.Findings {
		counts[f.State]++
		width = max(width, len(f.Check))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%-7s  %-*s  %s\n", f.State, width, f.Check, text.Printable(f.Message))
		if f.Fix != "" {
			fmt.Fprintf(out, "%-7s  %-*s  fix: %s\n", "", width, "", text.Printable(f.Fix))
		}
	}
	fmt.Fprintf(out, "\n%s: %s: %d ok, %s, %d failed\n", text.Printable(r.Project), r.Verdict, counts[doctor.OK], text.Plural(counts[doctor.Warning], "warning", "warnings"), counts[doctor.Failed])
}
