package observe

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestLineIsReadBack(t *testing.T) {
	tests := map[string]struct {
		entry LogEntry
		line  string
	}{
		"ok":                {LogEntry{noon, "", "stop", OK, 1500 * time.Microsecond, ""}, "2026-11-21T12:00:00Z stop ok 1.5ms\n"},
		"failed":            {LogEntry{noon, "", "stop", Failed, 0, "open x: no such file"}, "2026-11-21T12:00:00Z stop failed 0.0ms open x: no such file\n"},
		"of another client": {LogEntry{noon, "gemini", "stop", Blocked, 0, ""}, "2026-11-21T12:00:00Z gemini:stop blocked 0.0ms\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.entry.Line(); got != tt.line {
				t.Errorf("line %q", got)
			}
			if diff := cmp.Diff([]LogEntry{tt.entry}, parseLog([]byte(tt.line))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLineIsOneShortLine(t *testing.T) {
	e := LogEntry{noon, "", "stop", Failed, 0, strings.Repeat("long\n\x1b[2J ", 1000)}
	line := e.Line()
	if strings.Count(line, "\n") != 1 || len(line) > 1000 || strings.ContainsRune(line, '\x1b') {
		t.Errorf("%d bytes: %q", len(line), line)
	}
}

func TestTallyUp(t *testing.T) {
	day := 24 * time.Hour
	entries := []LogEntry{
		{Time: noon.Add(-30 * day), Hook: "stop", Outcome: OK},
		{Time: noon.Add(-20 * day), Hook: "stop", Outcome: Failed, Reason: "old"},
		{Time: noon.Add(-2 * day), Hook: "stop", Outcome: Blocked},
		{Time: noon.Add(-day), Hook: "stop", Outcome: Failed, Reason: "new"},
		{Time: noon.Add(-day), Hook: "pre-tool-use", Outcome: Silent, Reason: "nothing"},
		{Time: noon.Add(-20 * day), Client: "codex", Hook: "stop", Outcome: OK},
		{Time: noon.Add(-day), Client: "codex", Hook: "session-start", Outcome: Failed, Reason: "x"},
	}
	want := map[string]Tally{
		"stop":         {Last: noon.Add(-day), LastGood: noon.Add(-2 * day), Runs: 2, Failed: 1, Reason: "new", FailedLast: true},
		"pre-tool-use": {Last: noon.Add(-day), LastGood: noon.Add(-day), Runs: 1},
	}
	wantOfClients := map[string]Tally{
		"codex": {Last: noon.Add(-day), LastGood: noon.Add(-20 * day), Runs: 1, Failed: 1, Reason: "x", FailedLast: true},
	}
	byHook, byClient := TallyUp(entries, noon.Add(-7*day))
	if diff := cmp.Diff(want, byHook); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantOfClients, byClient); diff != "" {
		t.Error(diff)
	}
}

// Every entry read from a log can be written and read again.
func FuzzParseLog(f *testing.F) {
	f.Add([]byte("2026-11-21T12:00:00Z stop failed 0.0ms open x\n"))
	f.Add([]byte("2026-11-21T12:00:00Z stop ok NaNms\nhalf a li"))
	f.Fuzz(func(t *testing.T, log []byte) {
		for _, e := range parseLog(log) {
			if e.Took < 0 || len(parseLog([]byte(e.Line()))) != 1 {
				t.Errorf("%+v is not read back", e)
			}
		}
	})
}
