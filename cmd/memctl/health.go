package main

import (
	"fmt"
	"io"
	"time"

	"memctl/doctor"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func healthCommand(std streams) *cli.Command {
	return newCommand(std, "health", rooted(runHealth), rootFlag(), jsonFlag())
}

func runHealth(c *cli.Context, std streams, root memdir.Root) error {
	health, err := doctor.Health(c.Context, root, time.Now())
	if err != nil {
		return err
	}
	return printFindings(c, std, health, printHealth, health.Verdict != doctor.GoodHealth)
}

// maxNews is how many memories each list of a health report names.
const maxNews = 10

// printHealth writes the verdict and its reasons above the overview, and below it what is
// worth knowing.
func printHealth(out io.Writer, h doctor.HealthReport) {
	fmt.Fprintln(out, h.Verdict)
	for _, reason := range h.Reasons {
		fmt.Fprintf(out, "- %s\n", text.Printable(reason))
	}
	fmt.Fprintln(out)
	printOverview(out, h.Overview)
	fmt.Fprintf(out, "updated more than %d times: %d\n", retrieve.HeavyUpdates, len(h.HeavilyUpdated))
	printNews(out, h.HeavilyUpdated, func(m retrieve.Item) string { return text.Plural(m.TimesUpdated, "time", "times") })
	fmt.Fprintf(out, "retired in the last %d days: %d\n", doctor.RetiredDays, len(h.RecentlyRetired))
	printNews(out, h.RecentlyRetired, func(m retrieve.Item) string { return m.Retired.Reason })
}

// printNews names the first memories of a list, each with a note unless that is empty.
func printNews(out io.Writer, list []retrieve.Item, note func(retrieve.Item) string) {
	for _, m := range list[:min(len(list), maxNews)] {
		line := m.Path
		if n := note(m); n != "" {
			line += " (" + n + ")"
		}
		fmt.Fprintf(out, "  %s\n", text.Printable(line))
	}
	if n := len(list) - maxNews; n > 0 {
		fmt.Fprintf(out, "  and %d more\n", n)
	}
}
