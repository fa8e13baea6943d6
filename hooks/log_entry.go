package hooks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/text"
)

// LogEntry is one run of a hook in the log: one short line, without a word of a
// prompt or a memory.
type LogEntry struct {
	Time    time.Time // when it ended
	Client  string    // as --client takes it; "" for Claude Code
	Hook    string    // as on the command line: "stop"
	Outcome Outcome
	Took    time.Duration
	Reason  string // of Silent and Failed
}

// maxReason bounds a reason, in code points, so that a line is one write.
const maxReason = 200

// maxTook bounds a duration in the log, in milliseconds.
const maxTook = 1e9

// Line renders the entry, with its newline.
func (e LogEntry) Line() string {
	hook := e.Hook
	if e.Client != "" {
		hook = e.Client + ":" + hook
	}
	line := fmt.Sprintf("%s %s %s %.1fms", e.Time.UTC().Format(time.RFC3339), hook, e.Outcome, float64(e.Took.Microseconds())/1000)
	if e.Reason != "" {
		line += " " + text.Ellipsis(text.Printable(e.Reason), maxReason)
	}
	return line + "\n"
}

// parseLog reads the lines of a log and skips those that are no entries, such as the
// half of a line.
func parseLog(log []byte) []LogEntry {
	var entries []LogEntry
	for line := range strings.Lines(string(log)) {
		if e, ok := parseEntry(strings.TrimSuffix(line, "\n")); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func parseEntry(line string) (LogEntry, bool) {
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 4 {
		return LogEntry{}, false
	}
	at, err := time.Parse(time.RFC3339, fields[0])
	ms, isNumber := strings.CutSuffix(fields[3], "ms")
	took, numberErr := strconv.ParseFloat(ms, 64)
	if err != nil || !isNumber || numberErr != nil || !(took >= 0 && took <= maxTook) {
		return LogEntry{}, false
	}
	client, hook, named := strings.Cut(fields[1], ":")
	if !named {
		client, hook = "", fields[1]
	}
	e := LogEntry{Time: at, Client: client, Hook: hook, Outcome: Outcome(fields[2]), Took: time.Duration(took * float64(time.Millisecond))}
	if len(fields) == 5 {
		e.Reason = fields[4]
	}
	return e, true
}
