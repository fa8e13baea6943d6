package retrieve

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"memctl/files"
	"memctl/indexer"
	"memctl/observe"
	"memctl/schemas"
)

// A session's start reads the sessions that were written since the last one, and of all at most so many runs.
func TestRemediesAreReadOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	root := files.Root{Path: t.TempDir()}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Mkdir(root.Join("observations"), 0o700))
	now, calls := time.Now(), 0
	record := func(session string, commands ...string) {
		t.Helper()
		var data []byte
		for _, command := range commands {
			calls++
			success, interrupted := strings.Trim(command, "!?") == command, strings.HasPrefix(command, "?")
			data = append(data, schemas.EncodeObservation(schemas.Observation{
				EventID: fmt.Sprint(calls), EventType: schemas.ToolObservation, SessionID: session,
				Timestamp: now.UTC().Add(time.Duration(calls)).Format("2006-01-02T15:04:05.000000000Z"),
				Payload: schemas.ToolPayload{ToolName: "Bash", ToolInput: []byte("null"), Success: &success, Metadata: schemas.ToolMetadata{
					Command: strings.Trim(command, "!?"), ToolUseID: fmt.Sprint(calls), Interrupted: interrupted}},
			})...)
		}
		check(os.WriteFile(root.Join("observations/"+session+".jsonl"), data, 0o600))
	}
	const nothing = "SELECT 1"
	// keep returns the commands that have a remedy, after a statement on the index.
	keep := func(change string) string {
		t.Helper()
		check(indexer.Use(t.Context(), root, indexer.Full, func(ix *indexer.Index) error {
			var changed []int64
			if err := ix.Select(t.Context(), &changed, change); err != nil {
				return err
			}
			return Source{DB: ix.DB, Root: root}.KeepRemedies(t.Context(), now)
		}))
		var subjects []string
		for _, f := range observe.ReadRemedies(root).Fixes {
			subjects = append(subjects, f.Subject)
		}
		return strings.Join(subjects, ", ")
	}
	if got := keep(nothing); got != "" {
		t.Errorf("without observations: %q", got)
	}
	record("session-1", "!make", "vault login", "make", "?sleep 99 | x", "npm ci", "sleep 99 | x") // an interrupted one
	long := time.Now().Add(-time.Hour)
	check(os.Chtimes(root.Join("observations/session-1.jsonl"), long, long))
	if got := keep(nothing); got != "make" {
		t.Errorf("after a session: %q", got)
	}
	record("session-2", "!npm test", "npm ci", "npm test")
	if got := keep("UPDATE observations SET success = 1 WHERE session_id = 'session-1' RETURNING observation_id"); got != "npm test, make" {
		t.Errorf("after another one: %q; the first is read again or forgotten", got)
	}
	many := []string{"!tox", "pyenv install", "tox"}
	for i := range maxRemedyRuns {
		many = append(many, fmt.Sprint("run ", i))
	}
	record("session-3", many[:len(many)-3]...)
	if got := keep(nothing); got != "tox, npm test, make" {
		t.Errorf("after a long session: %q", got)
	}
	record("session-3", many...)
	if got := keep(nothing); strings.Contains(got, "tox") {
		t.Errorf("more runs are read than there may be: %q", got)
	}
	check(os.RemoveAll(root.Join("observations")))
	if got := keep(nothing); got != "" {
		t.Errorf("without the recordings: %q", got)
	}
}
