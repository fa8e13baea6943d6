package observe

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
	"time"

	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/uuid"
)

// stampLayout is RFC 3339 to the millisecond.
const stampLayout = "2006-01-02T15:04:05.000Z07:00"

// New makes the observation of an event and reports what the filter removed.
func New(e Event, hide *privacy.Filter, now time.Time) (schemas.Observation, privacy.Report) {
	f := &filter{Filter: hide}
	if !e.EndedAt.IsZero() && e.EndedAt.Year() > 1970 && e.EndedAt.Before(now) {
		now = e.EndedAt
	}
	in := newInput(e, f)
	out := newOutput(e, f)
	session := f.id(e.SessionID)
	p := schemas.ToolPayload{
		ToolName:     f.name(e.ToolName),
		ToolInput:    encode(in.value),
		ToolOutput:   out.text,
		DurationMS:   milliseconds(e.Duration),
		Success:      succeeded(e, out),
		ErrorMessage: f.text(e.Error, maxText),
		Metadata:     metadata(e, in, out, f),
	}
	if f.report.Found() || len(f.report.Warnings) > 0 {
		p.Metadata.Privacy, _ = json.Marshal(f.report) // of numbers and strings: cannot fail
	}
	return schemas.Observation{
		EventID:   uuid.NewString(),
		EventType: schemas.ToolObservation,
		SessionID: session,
		Timestamp: now.UTC().Format(stampLayout),
		Payload:   p,
	}, f.report
}

// succeeded reports whether the tool did, nil if that is unknown.
func succeeded(e Event, out output) *bool {
	success := !e.Failed && !out.failed
	if success && e.Unsettled {
		return nil
	}
	return &success
}

func metadata(e Event, in input, out output, f *filter) schemas.ToolMetadata {
	m := schemas.ToolMetadata{
		Interrupted: e.Interrupted || out.interrupted,
		ToolUseID:   f.id(e.ToolUseID),
		PromptID:    f.id(e.PromptID),
		AgentID:     f.id(e.AgentID),
	}
	switch e.ToolName {
	case "Read", "Write", "Edit", "MultiEdit", "NotebookEdit":
		m.FilePath = in.filePath()
		m.FileType = strings.TrimPrefix(strings.ToLower(path.Ext(m.FilePath)), ".")
		m.LineCount = in.lines
		if e.ToolName == "Read" {
			m.LineCount = out.lines
		}
	case "Bash":
		m.Command = in.text("command")
		m.ExitCode = exitCode(e, out)
	case "Grep", "Glob":
		m.Pattern = in.text("pattern")
		m.FilePath = in.text("path")
		m.MatchCount = out.matches
	case "WebFetch":
		m.URL = in.text("url")
		m.StatusCode = out.status
	case "Task", "Agent":
		m.SubagentType = in.text("subagent_type")
	}
	return m
}

// exitCode is 0 for a command that succeeded, unless the client says more about it:
// some exits other than 0 are no failures (grep), and background tasks have none yet.
func exitCode(e Event, out output) *int {
	if rest, ok := strings.CutPrefix(e.Error, "Exit code "); ok {
		digits, _, _ := strings.Cut(rest, "\n")
		if code, err := strconv.Atoi(strings.TrimSpace(digits)); err == nil {
			return &code
		}
	}
	if out.exit != nil || e.Failed || out.failed || out.unsettled || e.Unsettled {
		return out.exit
	}
	return new(int)
}

func milliseconds(d time.Duration) *int64 {
	if d < 0 {
		return nil
	}
	ms := d.Milliseconds()
	return &ms
}

// name makes an id or a name from a client printable and short.
func name(s string) string { return text.Truncate(text.Printable(s), maxName) }
