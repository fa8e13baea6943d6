package observe

import (
	"fmt"
	"strings"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// Fix is a failure and the later success, in the same session, of the same command
// or of a change to the same file. What lies between may be worth a runbook.
type Fix struct {
	Session  string   `json:"session_id"`
	Tool     string   `json:"tool"`
	Subject  string   `json:"subject"` // the command or the file
	Error    string   `json:"error"`
	Failures int      `json:"failures"` // of the same subject before it worked
	FailedAt string   `json:"failed_at"`
	FixedAt  string   `json:"fixed_at"`
	Between  []string `json:"between"` // the runs between, at most maxBetween
	// Remedy has the commands that were run between the last failure and the success, the last ones, if no file
	// was edited there: they may help another time.
	Remedy []string `json:"remedy,omitempty"`
}

// Line describes the fix in a few words.
func (f Fix) Line() string {
	times := text.Plural(f.Failures, "time", "times")
	line := fmt.Sprintf("%s %s (failed %s)", f.Tool, text.Ellipsis(f.Subject, 50), times)
	if n := len(f.Between); n > 0 {
		line += ", after " + f.Between[n-1]
	}
	return line
}

// LastFixes returns the fixes in the last maxTail bytes of a session's file.
func LastFixes(root files.Root, session string) []Fix {
	last, _ := Last(root, session)
	runs := make([]schemas.Run, len(last))
	for i, o := range last {
		runs[i] = o.Run()
	}
	return Fixes(runs)
}

// maxBetween is how many of the runs between are named, the last ones.
const maxBetween = 5

// Fixes finds the fixes among runs, which are in the order of their sessions. The
// latest fix comes last.
func Fixes(runs []schemas.Run) []Fix {
	var fixes []Fix
	type key struct{ session, subject string }
	type failure struct{ first, last, count int }
	failed := map[key]failure{}
	for i, r := range runs {
		subject := subjectOf(r)
		if subject == "" || r.Unsettled {
			continue
		}
		k := key{r.Session, subject}
		f, before := failed[k]
		switch {
		case !r.Success && !before:
			failed[k] = failure{i, i, 1}
		case !r.Success:
			failed[k] = failure{f.first, i, f.count + 1}
		case before:
			delete(failed, k)
			last := runs[f.last]
			fixes = append(fixes, Fix{
				Session: r.Session, Tool: r.Tool, Subject: subject, Error: last.Error, Failures: f.count,
				FailedAt: runs[f.first].Timestamp, FixedAt: r.Timestamp, Between: between(runs[f.first+1:i], r),
				Remedy: remedy(runs[f.last+1:i], r),
			})
		}
	}
	return fixes
}

// subject is the command or the file of a run, "" for tools that only look.
func subjectOf(r schemas.Run) string {
	switch {
	case r.Command != "":
		return strings.Join(strings.Fields(r.Command), " ")
	case r.Tool == "Read" || r.Tool == "Grep" || r.Tool == "Glob":
		return ""
	}
	return r.File
}

// between names what was done successfully before the fix, each once.
func between(runs []schemas.Run, fixed schemas.Run) []string {
	names := []string{}
	seen := map[string]bool{}
	for i := len(runs) - 1; i >= 0 && len(names) < maxBetween; i-- {
		r := runs[i]
		subject := subjectOf(r)
		if !r.Success || subject == "" || r.Session != fixed.Session || seen[r.Tool+subject] {
			continue
		}
		seen[r.Tool+subject] = true
		names = append([]string{r.Tool + " " + subject}, names...)
	}
	return names
}

// Runbook drafts a runbook from a fix: what failed, how, and what was done before it
// worked. The person who saves it completes it.
func (f Fix) Runbook() *schemas.Memory {
	subject := text.OneLine(f.Subject, maxStep)
	content := &schemas.RunbookContent{
		Trigger:      f.Tool + " " + subject + " fails",
		Verification: f.Tool + " " + subject + " works",
	}
	for _, step := range f.Between {
		content.Steps = append(content.Steps, text.OneLine(step, maxStep))
	}
	content.Steps = append(content.Steps, "Run it again: "+subject)
	if symptom := text.OneLine(f.Error, maxStep); symptom != "" {
		content.Symptoms = []string{symptom}
	}
	return &schemas.Memory{
		Category: schemas.Runbook,
		Title:    "Fix: " + text.OneLine(f.Subject, maxTitle),
		Content:  content,
	}
}

const (
	maxTitle = 100 // code points of the subject in a title
	maxStep  = 500
)
