package observe

import (
	"encoding/json"
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
	r := newResponse(e.Output)
	p := schemas.ToolPayload{DurationMS: milliseconds(e.Duration), Success: succeeded(e, r)}
	m := &p.Metadata
	p.ToolInput = encode(f.input(e, m))
	p.ToolOutput = f.output(e, r, m)
	p.ToolName = f.name(e.ToolName)
	p.ErrorMessage = f.text(e.Error, maxText)
	if e.ToolName == "Bash" {
		m.ExitCode = exitCode(e, r)
	}
	m.Interrupted = e.Interrupted || r.Interrupted
	m.ToolUseID, m.PromptID, m.AgentID = f.id(e.ToolUseID), f.id(e.PromptID), f.id(e.AgentID)
	o := schemas.Observation{
		EventID:   uuid.NewString(),
		EventType: schemas.ToolObservation,
		SessionID: f.id(e.SessionID),
		Timestamp: now.UTC().Format(stampLayout),
	}
	if f.report.Found() || len(f.report.Warnings) > 0 {
		m.Privacy, _ = json.Marshal(f.report) // of numbers and strings: cannot fail
	}
	o.Payload = p
	return o, f.report
}

// succeeded reports whether the tool did, nil if that is unknown.
func succeeded(e Event, r response) *bool {
	success := !e.Failed && !r.failed()
	if success && e.Unsettled {
		return nil
	}
	return &success
}

// exitCode is 0 for a command that succeeded, unless the client says more about it:
// some exits other than 0 are no failures (grep), and background tasks have none yet.
func exitCode(e Event, r response) *int {
	if rest, ok := strings.CutPrefix(e.Error, "Exit code "); ok {
		digits, _, _ := strings.Cut(rest, "\n")
		if code, err := strconv.Atoi(strings.TrimSpace(digits)); err == nil {
			return &code
		}
	}
	unsettled := e.Unsettled || r.Interpretation != "" || r.BackgroundTask != ""
	if exit := r.exit(); exit != nil || e.Failed || r.failed() || unsettled {
		return exit
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
