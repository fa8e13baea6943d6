package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/db"
	"memctl/doctor"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func statusCommand(std streams) *cli.Command {
	return newCommand(std, "status", rooted(runStatus), rootFlag(), jsonFlag())
}

func runStatus(c *cli.Context, std streams, root memdir.Root) error {
	cfg, err := store.At(root, storeOptions(std)).Config(root)
	if err != nil {
		return err
	}
	status, err := doctor.Status(c.Context, root, cfg, time.Now())
	if err != nil {
		return err
	}
	return printResult(c, std, status, printStatus)
}

// printOverview writes how many memories there are, and the state of the index.
func printOverview(out io.Writer, o retrieve.Overview) {
	const columns = "%-16s %8v %8v %8v\n"
	fmt.Fprintf(out, "%s\n\n", text.Printable(o.Root))
	fmt.Fprintf(out, columns, "", schemas.Active, schemas.Retired, schemas.Archived)
	total := map[schemas.Status]int{}
	for _, info := range schemas.Categories {
		counts := o.Memories[info.Category]
		fmt.Fprintf(out, columns, info.Category, counts[schemas.Active], counts[schemas.Retired], counts[schemas.Archived])
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
func printProblems(out io.Writer, n int, list []db.Problem) {
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
func printTwins(out io.Writer, list []db.Problem) {
	for _, p := range list {
		fmt.Fprintf(out, "%s: %s\n", text.Printable(p.Path), text.Printable(p.Reason))
	}
}

// printStatus writes the overview and the settings that are in force.
func printStatus(out io.Writer, s doctor.StatusReport) {
	printOverview(out, s.Overview)
	retrieval := "off"
	if r := s.Config.Retrieval; r.Enabled {
		retrieval = fmt.Sprintf("on, %s, at most %d a prompt", r.MatchStrategy, r.MaxInject)
	}
	fmt.Fprintf(out, "retrieval: %s\n", retrieval)
	fmt.Fprintf(out, "triage: %s, last %d messages\n", onOff(s.Config.Triage.Enabled), s.Config.Triage.MaxMessages)
	fmt.Fprintf(out, "observations: %s\n", observationsNote(s.Observations))
	for _, info := range schemas.Categories {
		if unusual := categoryNote(s.Config.Categories[info.Category]); unusual != "" {
			fmt.Fprintf(out, "%s: %s\n", info.Category, unusual)
		}
	}
}

func observationsNote(o doctor.ObservationsStatus) string {
	parts := []string{onOff(o.Enabled)}
	switch {
	case o.Sessions > 0:
		parts = append(parts, fmt.Sprintf("%s of %s, %s", text.Plural(o.Runs, "run", "runs"), text.Plural(o.Sessions, "session", "sessions"), sizeOf(o.Bytes)))
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
