// Package hooklog owns the record of hook runs: one short line for each, in the
// staging folder of the memory root. It holds no word of a prompt or a memory.
package hooklog

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/text"
)

// Outcome is how a hook ended.
type Outcome string

const (
	OK      Outcome = "ok"      // it did its work
	Silent  Outcome = "silent"  // it had a reason to say nothing
	Blocked Outcome = "blocked" // it held the agent up: denied a tool, asked before a stop
	Failed  Outcome = "failed"  // it could not do its work and let the agent go on
)

// Entry is one run of a hook.
type Entry struct {
	Time    time.Time // when it ended
	Hook    string    // as on the command line: "stop"
	Outcome Outcome
	Took    time.Duration
	Reason  string // of Silent and Failed
}

// maxReason bounds a reason, in code points: a line has to be one write.
const maxReason = 200

// maxTook bounds a duration that is read, in milliseconds.
const maxTook = 1e9

// Line renders the entry, with its newline.
func (e Entry) Line() string {
	line := fmt.Sprintf("%s %s %s %.1fms", e.Time.UTC().Format(time.RFC3339), e.Hook, e.Outcome, float64(e.Took.Microseconds())/1000)
	if e.Reason != "" {
		line += " " + text.Ellipsis(text.Printable(e.Reason), maxReason)
	}
	return line + "\n"
}

// Parse reads the lines of a log. What is no entry, such as the half of a line, is
// passed over.
func Parse(log []byte) []Entry {
	var entries []Entry
	for line := range strings.Lines(string(log)) {
		if e, ok := parseLine(strings.TrimSuffix(line, "\n")); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func parseLine(line string) (Entry, bool) {
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 4 {
		return Entry{}, false
	}
	at, err := time.Parse(time.RFC3339, fields[0])
	ms, isNumber := strings.CutSuffix(fields[3], "ms")
	took, numberErr := strconv.ParseFloat(ms, 64)
	if err != nil || !isNumber || numberErr != nil || !(took >= 0 && took <= maxTook) {
		return Entry{}, false
	}
	e := Entry{Time: at, Hook: fields[1], Outcome: Outcome(fields[2]), Took: time.Duration(took * float64(time.Millisecond))}
	if len(fields) == 5 {
		e.Reason = fields[4]
	}
	return e, true
}
