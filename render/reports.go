package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
	"memctl/writer"
)

// maxNews is how many memories each list of a health report names.
const maxNews = 10

// Overview writes how many memories there are, and the state of the index.
func Overview(out io.Writer, o retrieve.Overview) {
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
	fmt.Fprintf(out, "\nindex: %s, %s, built %s\n", o.Index.State, size(o.Index.SizeBytes), o.Index.BuiltAt)
	problems(out, len(o.Problems), o.Problems)
	twins(out, o.Twins)
}

// problems lists the files that are not valid memories, the first of n.
func problems(out io.Writer, n int, list []db.Problem) {
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

// Rebuilt writes what a new index holds.
func Rebuilt(out io.Writer, s *indexer.Summary) {
	memories := s.Files() - s.Broken
	active, retired, archived := s.Memories[schemas.Active], s.Memories[schemas.Retired], s.Memories[schemas.Archived]
	fmt.Fprintf(out, "indexed %s: %d active, %d retired, %d archived", text.Plural(memories, "memory", "memories"), active, retired, archived)
	if n := memories - active - retired - archived; n > 0 {
		fmt.Fprintf(out, ", %d of other status", n)
	}
	fmt.Fprintf(out, ", in %v\n", s.Elapsed.Round(time.Millisecond))
	problems(out, s.Broken, s.Problems)
	twins(out, s.Twins)
}

// twins lists the files that some system takes for another one.
func twins(out io.Writer, list []db.Problem) {
	for _, p := range list {
		fmt.Fprintf(out, "%s: %s\n", text.Printable(p.Path), text.Printable(p.Reason))
	}
}

// Health writes the verdict and its reasons above the overview, and below it what is
// worth knowing.
func Health(out io.Writer, h retrieve.HealthReport) {
	fmt.Fprintln(out, h.Verdict)
	for _, reason := range h.Reasons {
		fmt.Fprintf(out, "- %s\n", text.Printable(reason))
	}
	fmt.Fprintln(out)
	Overview(out, h.Overview)
	fmt.Fprintf(out, "updated more than %d times: %d\n", retrieve.HeavyUpdates, len(h.HeavilyUpdated))
	news(out, h.HeavilyUpdated, func(m retrieve.Item) string { return text.Plural(m.TimesUpdated, "time", "times") })
	fmt.Fprintf(out, "retired in the last %d days: %d\n", retrieve.RetiredDays, len(h.RecentlyRetired))
	news(out, h.RecentlyRetired, func(m retrieve.Item) string { return m.Retired.Reason })
}

// news names the first memories of a list, each with a note unless that is empty.
func news(out io.Writer, list []retrieve.Item, note func(retrieve.Item) string) {
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

// Status writes the overview and the settings that are in force.
func Status(out io.Writer, s retrieve.StatusReport) {
	Overview(out, s.Overview)
	retrieval := "off"
	if r := s.Config.Retrieval; r.Enabled {
		retrieval = fmt.Sprintf("on, %s, at most %d a prompt", r.MatchStrategy, r.MaxInject)
	}
	fmt.Fprintf(out, "retrieval: %s\n", retrieval)
	fmt.Fprintf(out, "triage: %s, last %d messages\n", OnOff(s.Config.Triage.Enabled), s.Config.Triage.MaxMessages)
	fmt.Fprintf(out, "observations: %s\n", observations(s.Observations))
	for _, info := range schemas.Categories {
		if unusual := category(s.Config.Categories[info.Category]); unusual != "" {
			fmt.Fprintf(out, "%s: %s\n", info.Category, unusual)
		}
	}
}

func observations(o retrieve.ObservationsStatus) string {
	parts := []string{OnOff(o.Enabled)}
	switch {
	case o.Sessions > 0:
		parts = append(parts, fmt.Sprintf("%s of %s, %s", text.Plural(o.Runs, "run", "runs"), text.Plural(o.Sessions, "session", "sessions"), size(o.Bytes)))
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

// category words the settings of a category that are not the defaults.
func category(c schemas.CategoryConfig) string {
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

// Validation writes a line for each finding, then the counts.
func Validation(out io.Writer, v writer.Validation) {
	for _, f := range v.Findings {
		fmt.Fprintln(out, text.Printable(f.Message))
	}
	fmt.Fprintf(out, "%s checked: %s\n", text.Plural(v.Files, "file", "files"), text.Plural(len(v.Findings), "finding", "findings"))
}

// Triage writes the score of each category with the lines that count.
func Triage(out io.Writer, r triage.Report) {
	fmt.Fprintf(out, "%s: %s\n", text.Plural(r.Messages, "message", "messages"), r.Activity)
	for _, c := range r.Categories {
		verdict := "below"
		if c.Triggers {
			verdict = "save"
		} else if c.Score >= c.Threshold {
			verdict = "switched off"
		}
		fmt.Fprintf(out, "\n%-15s  %.2f of %.2f  %s\n", c.Category.Display(), c.Score, c.Threshold, verdict)
		for _, m := range c.Matches {
			words := m.Word
			if m.Booster != "" {
				words += " + " + m.Booster
			}
			fmt.Fprintf(out, "  %5d  %.2f  %s: %s\n", m.Line, m.Points, words, text.Printable(m.Text))
		}
	}
}
