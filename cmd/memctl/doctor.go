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

const doctorDescription = `Says whether memctl works here: this binary, the settings of Claude Code and of other
agents, what you have to approve in them, each hook, the MCP server, the memory root,
and when each agent last called the hooks. Every warning and every failure comes with
what to do about it. memctl health judges what the memory root holds, memctl validate
each of its files.

The hooks and the server are run on a project made for that in the temporary folder;
memories and the log of real runs stay as they are. --hub also asks the hub that hub.url
names in your own configuration; nothing else here uses the network. An index that is
out of date or damaged is repaired, as by any command that reads.

Exit status: 0 nothing failed (there may be warnings), 1 something did, 2 wrong
usage.`

func doctorCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "doctor",
		Usage:       "find out whether memctl works here, and what to do if not",
		Description: doctorDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag(), hubFlag("ask your hub, too"), plainHTTPFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			places := memdir.PlacesFromEnv(rootArg(c), "")
			report, err := doctor.Run(c.Context, doctor.Options{Version: version, Places: places, Now: time.Now(), AskHub: c.Bool("hub"), PlainHTTP: c.Bool("plain-http")})
			if err != nil {
				return err
			}
			return printFindings(c, std, report, printDiagnosis, report.State == doctor.Failed)
		},
	}
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
	fmt.Fprintf(out, "\n%s: %d ok, %s, %d failed\n", text.Printable(r.Project), counts[doctor.OK], text.Plural(counts[doctor.Warning], "warning", "warnings"), counts[doctor.Failed])
}
