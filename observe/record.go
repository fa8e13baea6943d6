// Package observe owns what memctl records of the sessions of agents. It turns what a tool
// did into an observation and appends it to the session's file: it filters, cuts and
// limits. It keeps the log of the hooks, the records of injections and of reviews, and
// what a stop stages for the agent. It does not open the index, because its hook runs
// after every tool.
package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/files"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/uuid"
)

// Record appends the observation of an event to the session's file, unless the
// configuration excludes it, and reports what the privacy filter removed. It appends
// nothing once the context has ended: what the filter could not examine by then may hold
// a secret.
func Record(
	ctx context.Context, root files.Root, cfg schemas.Config, e Event, now time.Time,
) (privacy.Report, error) {
	if !cfg.Observations.Enabled || e.ToolName == "" || Excluded(cfg.Observations.ExcludedTools, e) {
		return privacy.Report{}, nil
	}
	filter := cfg.Privacy.Filter()
	o, r := New(e, filter.Within(ctx), now)
	if err := ctx.Err(); err != nil {
		return r, fmt.Errorf("record the tool: %w", err)
	}
	if err := root.AppendToSession(SessionFile(o.SessionID), schemas.EncodeObservation(o)); err != nil {
		return r, fmt.Errorf("record the tool: %w", err)
	}
	return r, nil
}

// SessionFile returns the file name of a session. Ids are UUIDs. One that is not a
// plain word, or so short that a system may give it a meaning (nul), is named by its
// hash.
func SessionFile(session string) string {
	const shortest, longest, readable = 8, 100, 40
	word := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, session)
	if word == session && len(word) >= shortest && len(word) <= longest && word[0] != '-' {
		return files.SessionFileName(word)
	}
	return files.SessionFileName("session-" + word[:min(len(word), readable)] + "-" + text.Hash(session, 6))
}

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

// SessionKey names a session, or a turn, in files: the client's id if it is a UUID, else
// a hash of it. Any other id may say anything, secrets included.
func SessionKey(id string) string {
	if id == "" || uuid.Validate(id) == nil {
		return id
	}
	return text.Hash(id, 6)
}

// Event is a client's report after a tool.
type Event struct {
	SessionID   string
	ToolName    string
	Input       json.RawMessage // any value, nil for none
	Output      json.RawMessage // any value, nil for none
	Failed      bool
	Unsettled   bool // the client does not say whether the tool failed
	Error       string
	Interrupted bool
	ToolUseID   string
	PromptID    string
	AgentID     string // "" unless a subagent used the tool
	EndedAt     time.Time
	Duration    time.Duration // negative if unknown
}

// Exited makes the event that of a command that failed.
func (e *Event) Exited(code int, printed string) {
	e.Failed, e.Output = true, nil
	e.Error = fmt.Sprintf("Exit code %d\n%s", code, printed)
}

// decode reads a client's JSON. A member of another type than expected counts as
// absent.
func decode[T any](raw json.RawMessage) (v T) {
	_ = json.Unmarshal(raw, &v) // skips such members and decodes the rest
	return v
}

// The hooks after a tool, which record it.
const (
	AfterTool    = "post-tool-use"
	AfterFailure = "post-tool-use-failure"
)
