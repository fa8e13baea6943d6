package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/doctor"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
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
	fmt.Fprintf(out, "\n%s: %s: %d ok, %s, %d failed\n", text.Printable(r.Project), r.Verdict, counts[doctor.OK],
		text.Plural(counts[doctor.Warning], "warning", "warnings"), counts[doctor.Failed])
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
// worth knowing and the settings in force.
func printHealth(out io.Writer, h doctor.HealthReport) {
	fmt.Fprintln(out, h.Verdict)
	for _, reason := range h.Reasons {
		fmt.Fprintf(out, "- %s\n", text.Printable(reason))
	}
	fmt.Fprintln(out)
	printOverview(out, h.Overview)
	fmt.Fprintf(out, "updated more than %d times: %d\n", retrieve.HeavyUpdates, len(h.HeavilyUpdated))
	printNews(out, h.HeavilyUpdated,
		func(m retrieve.Item) string { return text.Plural(m.TimesUpdated, "time", "times") })
	fmt.Fprintf(out, "retired in the last %d days: %d\n", doctor.RetiredDays, len(h.RecentlyRetired))
	printNews(out, h.RecentlyRetired, func(m retrieve.Item) string { return m.Retired.Reason })
	retrieval := "off"
	if r := h.Config.Retrieval; r.Enabled {
		retrieval = fmt.Sprintf("on, %s, at most %d a prompt", r.MatchStrategy, r.Limit())
	}
	fmt.Fprintf(out, "retrieval: %s\n", retrieval)
	fmt.Fprintf(out, "triage: %s, last %d messages\n", onOff(h.Config.Triage.Enabled), h.Config.Triage.MaxMessages)
	fmt.Fprintf(out, "observations: %s\n", observationsNote(h.Observations))
	for _, info := range schemas.Categories {
		if unusual := categoryNote(h.Config.Categories[info.Category]); unusual != "" {
			fmt.Fprintf(out, "%s: %s\n", info.Category, unusual)
		}
	}
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

// printOverview writes how many memories there are, and the state of the index.
func printOverview(out io.Writer, o store.Overview) {
	const columns = "%-16s %8v %8v %8v\n"
	fmt.Fprintf(out, "%s\n\n", text.Printable(o.Root))
	fmt.Fprintf(out, columns, "", schemas.Active, schemas.Retired, schemas.Archived)
	total := map[schemas.Status]int{}
	for _, info := range schemas.Categories {
		counts := o.Memories[info.Category]
		fmt.Fprintf(out, columns, info.Category, counts[schemas.Active], counts[schemas.Retired],
			counts[schemas.Archived])
		for status, n := range counts {
			total[status] += n
		}
	}
	fmt.Fprintf(out, columns, "total", total[schemas.Active], total[schemas.Retired], total[schemas.Archived])
	fmt.Fprintf(out, "\nindex: %s, %s, built %s\n", o.Index.State, sizeOf(o.Index.SizeBytes), o.Index.BuiltAt)
	printProblems(out, len(o.Problems), o.Problems)
	printTwins(out, o.Twins)
}

// printProblems lists the files that are not valid memories, the first of n.
func printProblems(out io.Writer, n int, list []schemas.Problem) {
	if n == 0 {
		return
	}
	fmt.Fprintf(out, "%s:\n", text.Plural(n, "file is not a valid memory", "files are not valid memories"))
	for _, p := range list {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(p.Path), text.Printable(p.Reason))
	}
	if more := n - len(list); more > 0 {
		fmt.Fprintf(out, "  and %d more; memctl validate lists them\n", more)
	}
}

// printTwins lists the files that some system takes for another one.
func printTwins(out io.Writer, list []schemas.Problem) {
	for _, p := range list {
		fmt.Fprintf(out, "%s: %s\n", text.Printable(p.Path), text.Printable(p.Reason))
	}
}

func observationsNote(o doctor.ObservationsStatus) string {
	parts := []string{onOff(o.Enabled)}
	switch {
	case o.Sessions > 0:
		parts = append(parts, fmt.Sprintf("%s of %s, %s", text.Plural(o.Runs, "run", "runs"),
			text.Plural(o.Sessions, "session", "sessions"), sizeOf(o.Bytes)))
	case o.Enabled:
		parts = append(parts, "none yet")
	}
	if o.First != "" {
		parts = append(parts, "since "+day(o.First))
	}
	if o.RetentionDays > 0 && o.Enabled {
		parts = append(parts, "kept "+text.Plural(o.RetentionDays, "day", "days"))
	}
	if o.MaxMB > 0 && o.Enabled {
		parts = append(parts, fmt.Sprintf("at most %d MB", o.MaxMB))
	}
	if o.Due > 0 {
		parts = append(parts, fmt.Sprintf(`"memctl gc" would remove %s`, text.Plural(o.Due, "session", "sessions")))
	}
	if o.Problem != "" {
		parts = append(parts, text.Printable(o.Problem))
	}
	return strings.Join(parts, ", ")
}

// categoryNote words the settings of a category that are not the defaults.
func categoryNote(c schemas.CategoryConfig) string {
	var parts []string
	if !c.Enabled {
		parts = append(parts, "disabled")
	}
	if !c.AutoCapture {
		parts = append(parts, "not captured automatically")
	}
	if c.RetentionDays > 0 {
		parts = append(parts, fmt.Sprintf("kept %d days", c.RetentionDays))
	}
	if c.MaxRetained > 0 {
		parts = append(parts, fmt.Sprintf("the last %d stay active", c.MaxRetained))
	}
	return strings.Join(parts, ", ")
}

func runValidate(c *cli.Context, std streams, root memdir.Root) error {
	validation, err := doctor.Validate(c.Context, root)
	if err != nil {
		return err
	}
	return printFindings(c, std, validation, printValidation, len(validation.Findings) > 0)
}

// printValidation writes a line for each finding, then the counts.
func printValidation(out io.Writer, v doctor.Validation) {
	for _, f := range v.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(v.Files, "file", "files"),
		text.Plural(len(v.Findings), "finding", "findings"))
}
