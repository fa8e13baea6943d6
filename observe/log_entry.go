package observe

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memctl/files"
	"memctl/text"
)

const (
	// LogName is the name of the log in the staging folder.
	LogName = "hooks.log"
	// logLimit is the size at which the log starts over, in bytes: some thousand runs.
	logLimit = 256 << 10
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

// Outcome is the outcome of a hook.
type Outcome string

const (
	OK      Outcome = "ok"      // it did its work
	Silent  Outcome = "silent"  // it had a reason to say nothing
	Blocked Outcome = "blocked" // it held the agent up: denied a tool, asked before a stop
	Failed  Outcome = "failed"  // it could not do its work and let the agent go on
)

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
	ms := float64(e.Took.Microseconds()) / 1000
	line := fmt.Sprintf("%s %s %s %.1fms", e.Time.UTC().Format(time.RFC3339), hook, e.Outcome, ms)
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
	e := LogEntry{Time: at, Client: client, Hook: hook, Outcome: Outcome(fields[2])}
	e.Took = time.Duration(took * float64(time.Millisecond))
	if len(fields) == 5 {
		e.Reason = fields[4]
	}
	return e, true
}

// Append adds the entry to the log of a memory root.
func (e LogEntry) Append(root files.Root) error {
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	return errors.Join(staged.Append(LogName, []byte(e.Line()), logLimit), staged.Close())
}

// ReadLog returns the runs that the log of a memory root holds, oldest first.
func ReadLog(root files.Root) ([]LogEntry, error) {
	staged, err := root.OpenStaging()
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	data, err := staged.ReadJournal(LogName, logLimit)
	return parseLog(data), err
}

// Switch, set to "off" in a client's environment, makes every hook silent: for one session, or for one person.
// SwitchedOff is the reason in the log then.
const (
	Switch      = "MEMCTL_HOOKS"
	SwitchedOff = Switch + " is off"
)

// Tally sums up some runs.
type Tally struct {
	Last       time.Time // the latest run; zero if there is none
	LastGood   time.Time // the latest run that did not fail
	Runs       int       // since the time given to TallyUp
	Failed     int       // of Runs
	Reason     string    // of the last failure
	FailedLast bool      // the latest run failed
}

// TallyUp sums up the runs in a log, oldest first: those of Claude Code by their hooks,
// those of other clients by the client. It counts the runs and failures since a time.
func TallyUp(entries []LogEntry, since time.Time) (byHook, byClient map[string]Tally) {
	byHook, byClient = map[string]Tally{}, map[string]Tally{}
	for _, e := range entries {
		tallies, name := byHook, e.Hook
		if e.Client != "" {
			tallies, name = byClient, e.Client
		}
		t := tallies[name]
		t.add(e, since)
		tallies[name] = t
	}
	return byHook, byClient
}

func (t *Tally) add(e LogEntry, since time.Time) {
	failed := e.Outcome == Failed
	t.Last, t.FailedLast = e.Time, failed
	if failed {
		t.Reason = e.Reason
	} else {
		t.LastGood = e.Time
	}
	if e.Time.Before(since) {
		return
	}
	t.Runs++
	if failed {
		t.Failed++
	}
}
