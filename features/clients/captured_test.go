package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
	otherclients "memctl/features/clients"
	"memctl/schemas"
	"memctl/triage"
)

func readTranscript(t *testing.T, client *clients.Client, data, lastAnswer string) triage.Transcript {
	t.Helper()
	source := triage.TranscriptFile{In: strings.NewReader(data), Size: int64(len(data)), Messages: client.Messages,
		LastAnswer: lastAnswer}
	got, err := triage.Read(source, triage.Window{Messages: 200}, schemas.DefaultConfig().Privacy.Filter())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The clients wrote these transcripts; the counts were made by hand. What the clients and
// their hooks put among the words of the user is left out.
func TestCapturedTranscripts(t *testing.T) {
	tests := map[*clients.Client]struct {
		file, last string
		activity   triage.Activity
		text       string
	}{
		clients.Claude: {"claude-code/transcript.jsonl", "Third turn done.", triage.Activity{ToolUses: 9,
			DistinctTools: 5, Exchanges: 9},
			"Please write a note. We use SQLite.\nI will write the note.\nTwo at once.\nWe decided to use SQLite for " +
				"the index.\n" +
				"Noted, and the tests pass.\nAnd a second thing.\nSecond turn done.\nAnd a third.\nThird turn done."},
		otherclients.Codex: {"clients/codex/transcript.jsonl", "(saved)", triage.Activity{ToolUses: 2, DistinctTools: 2,
			Exchanges: 3},
			"the goose migration died with a lock timeout, is it safe to run it again?\nWe decided on SQLite because " +
				"there is one writer.\nWe chose it over a server.\n(saved)"},
		otherclients.Gemini: {"clients/gemini/transcript.jsonl", "(saved)",
			triage.Activity{ToolUses: 2, DistinctTools: 2, Exchanges: 3},
			"the goose migration died with a lock timeout, is it safe to run it again?\nWe decided on SQLite because " +
				"there is one writer.\nWe chose it over a server.\n(saved)"},
		otherclients.OpenCode: {"clients/opencode/transcript.jsonl", "", triage.Activity{ToolUses: 3, DistinctTools: 2,
			Exchanges: 3}, "\"do it\"\nFINAL-1\nIDLE-SAVE-IT"},
		otherclients.Qwen: {"clients/qwen/transcript.jsonl", "FINAL-4", triage.Activity{ToolUses: 6,
			DistinctTools: 3, Exchanges: 5}, "do it\nFINAL-1\nFINAL-2\nFINAL-3\nFINAL-4"},
		otherclients.Copilot: {"clients/copilot/transcript.jsonl", "", triage.Activity{ToolUses: 3, DistinctTools: 3,
			Exchanges: 2}, "say hi\nFINAL-1"},
	}
	for client, tt := range tests {
		data := read(t, filepath.Join("../../testdata", tt.file))
		got := readTranscript(t, client, data, tt.last)
		if text := strings.Join(got.Lines(), "\n"); text != tt.text || got.Activity != tt.activity {
			t.Errorf("%s: %+v, %q", client.Name, got.Activity, text)
		}
		if wrote := clients.OfTranscript(strings.NewReader(data)); wrote != client && client != otherclients.OpenCode {
			t.Errorf("the transcript of %s was taken for one of %s", client.Name, wrote.Name)
		}
	}
}

func TestExitCode(t *testing.T) {
	const failed = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"a","exit_code":2}}}`
	const completed = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"b","exit_code":0}}}`
	const running = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c"}}}`
	rollout := strings.Join([]string{`{"half`, failed, completed,
		`{"type":"response_item","payload":{"type":"function_call","call_id":"d"}}`, running, ""}, "\n")
	for id, want := range map[string]string{"a": "2 true", "b": "0 true", "c": "0 false", "d": "0 false",
		"e": "0 false", "": "0 false"} {
		code, known := otherclients.Codex.ExitCode(strings.NewReader(rollout), int64(len(rollout)), id)
		if got := fmt.Sprint(code, known); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
	if _, known := clients.Claude.ExitCode(strings.NewReader(rollout), int64(len(rollout)), "a"); known {
		t.Error("Claude Code's transcript was searched")
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
