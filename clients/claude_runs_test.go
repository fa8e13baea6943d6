package clients_test

import (
	"fmt"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/observe"
)

func runsOf(transcript string) []observe.Event {
	var runs clients.ClaudeRuns
	var events []observe.Event
	for line := range strings.Lines(transcript) {
		events = append(events, runs.Next([]byte(line))...)
	}
	return events
}

// The runs of a transcript are what the hooks of the same session were told. The tool that
// a hook denied did not run.
func TestClaudeRuns(t *testing.T) {
	const session = "00000000-0000-4000-8000-000000000001"
	want := []string{
		"toolu_stub0001 Write ok", "toolu_stub0002 Write ok", "toolu_stub0003 Bash ok", "toolu_stub0004 Edit ok", "toolu_stub0005 Read ok",
		"toolu_stub0006 Bash Exit code 3\noops", "toolu_stub0007 Edit String to replace not found in file.\nString: not there", "toolu_stub0009 Agent ok",
	}
	var got []string
	for _, e := range runsOf(read(t, "../testdata/claude-code/transcript.jsonl")) {
		end := "ok"
		if e.Failed {
			end = e.Error
		}
		got = append(got, e.ToolUseID+" "+e.ToolName+" "+end)
		if e.SessionID != session || e.EndedAt.IsZero() || e.Input == nil || (e.Output == nil) != e.Failed {
			t.Errorf("%+v", e)
		}
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", got)
	}
}

// An event of a hook and the run in the transcript have the same input and output.
func TestClaudeRunIsWhatTheHookGets(t *testing.T) {
	for _, e := range runsOf(read(t, "../testdata/claude-code/transcript.jsonl")) {
		if e.ToolUseID != "toolu_stub0001" {
			continue
		}
		hook, _, err := clients.Claude.Decode([]byte(read(t, "../testdata/claude-code/PostToolUse.json")))
		if err != nil {
			t.Fatal(err)
		}
		if string(e.Input) != string(hook.Input) || string(e.Output) != string(hook.Output) || e.SessionID != hook.SessionID {
			t.Errorf("%s %s, the hook got %s %s", e.Input, e.Output, hook.Input, hook.Output)
		}
	}
}

func TestClaudeRunsOfSeveralResults(t *testing.T) {
	const call = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"A","name":"Bash","input":{}},{"type":"tool_use","id":"B","name":"Bash","input":{}}]}}`
	tests := map[string]struct{ results, want string }{
		"each its own":        {`{"type":"user","toolUseResult":"of one","message":{"content":[{"type":"tool_result","tool_use_id":"A","content":"a"},{"type":"tool_result","tool_use_id":"B","content":"b"}]}}`, `"a" "b" `},
		"a result of no call": {`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"C","content":"c"}]}}`, ""},
		"the second time":     {`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"A","content":"a"},{"type":"tool_result","tool_use_id":"A","content":"a"}]}}`, `"a" `},
		"denied":              {`{"type":"user","toolDenialKind":"user","message":{"content":[{"type":"tool_result","tool_use_id":"A","content":"a"}]}}`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, e := range runsOf(call + "\n" + tt.results) {
				got += string(e.Output) + " "
			}
			if got != tt.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

// Calls that were interrupted do not hide later ones.
func TestClaudeRunsAfterManyWithoutResult(t *testing.T) {
	var transcript strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&transcript, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"call%d","name":"Bash","input":{}}]}}`+"\n", n)
	}
	transcript.WriteString(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"call999","content":"a"}]}}`)
	if got := runsOf(transcript.String()); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func FuzzClaudeRuns(f *testing.F) {
	f.Add(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"A","name":"Bash","input":{}}]}}` + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"A","content":"a"}]}}`)
	f.Fuzz(func(t *testing.T, transcript string) {
		for _, e := range runsOf(transcript) {
			if e.ToolUseID == "" {
				t.Errorf("%+v", e)
			}
		}
	})
}
