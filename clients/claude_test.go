package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/files/gate"
	"memctl/hooks"
	"memctl/observe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDecode(t *testing.T) {
	tests := map[string]struct {
		in   string
		want hooks.Event
	}{
		"every field": {
			`{"session_id":"s","cwd":"/p","hook_event_name":"SessionStart","source":"resume","prompt":"hello"}`,
			hooks.Event{Event: observe.Event{SessionID: "s"}, Cwd: "/p", Name: "SessionStart", Source: "resume", Prompt: "hello"},
		},
		"the older field name":             {`{"user_prompt":"hello"}`, hooks.Event{Prompt: "hello"}},
		"the newer of both":                {`{"user_prompt":"old","prompt":"new"}`, hooks.Event{Prompt: "new"}},
		"an empty newer one":               {`{"user_prompt":"old","prompt":""}`, hooks.Event{Prompt: "old"}},
		"unknown fields pass":              {`{"prompt":"p","effort":{"level":3},"x":[1]}`, hooks.Event{Prompt: "p"}},
		"values of other types are absent": {`{"prompt":["p"],"cwd":5,"session_id":null,"source":{}}`, hooks.Event{}},
		"one odd value spoils no others":   {`{"cwd":{"a":1},"prompt":"p"}`, hooks.Event{Prompt: "p"}},
		"a tool and its file":              {`{"tool_name":"Write","tool_input":{"file_path":"/p/f","content":"c"}}`, hooks.Event{Event: observe.Event{ToolName: "Write"}, Paths: []string{"/p/f"}}},
		"a notebook":                       {`{"tool_name":"NotebookEdit","tool_input":{"notebook_path":"n.ipynb"}}`, hooks.Event{Event: observe.Event{ToolName: "NotebookEdit"}, Paths: []string{"n.ipynb"}}},
		"a tool without a file":            {`{"tool_name":"Bash","tool_input":{"command":"ls"}}`, hooks.Event{Event: observe.Event{ToolName: "Bash"}}},
		"a tool's input of another type":   {`{"tool_name":"Write","tool_input":["/p/f"],"cwd":"/p"}`, hooks.Event{Event: observe.Event{ToolName: "Write"}, Cwd: "/p"}},
		"a file of another type":           {`{"tool_name":"Write","tool_input":{"file_path":{"a":1}}}`, hooks.Event{Event: observe.Event{ToolName: "Write"}}},
		"a tool of another type":           {`{"tool_name":7,"tool_input":{"file_path":"f"}}`, hooks.Event{Paths: []string{"f"}}},
		"a stop": {`{"transcript_path":"/t.jsonl","last_assistant_message":"Done.","stop_hook_active":true}`,
			hooks.Event{TranscriptPath: gate.Name("/t.jsonl"), LastAnswer: "Done.", StopHookActive: true}},
		"a stop with odd values": {`{"transcript_path":null,"last_assistant_message":{},"stop_hook_active":"true","cwd":"/p"}`, hooks.Event{Cwd: "/p"}},
		"no fields":              {`{}`, hooks.Event{}},
		"null says nothing":      {`null`, hooks.Event{}},
		"paths that no system opens": {
			`{"cwd":"/` + strings.Repeat("a", files.MaxPath) + `","transcript_path":"/` + strings.Repeat("a", files.MaxPath) + `","session_id":"s"}`,
			hooks.Event{Event: observe.Event{SessionID: "s"}},
		},
		"an escaped NUL":               {`{"prompt":"a\u0000b"}`, hooks.Event{Prompt: "a\x00b"}},
		"lone surrogates are replaced": {`{"prompt":"a\ud800b\udc00"}`, hooks.Event{Prompt: "a\ufffdb\ufffd"}},
		"invalid UTF-8 is replaced":    {"{\"prompt\":\"a\xffb\"}", hooks.Event{Prompt: "a\ufffdb"}},
		"a surrogate pair":             {`{"prompt":"\ud83d\ude00"}`, hooks.Event{Prompt: "😀"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, _, err := clients.Claude.Decode(json.RawMessage(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got.Input, got.Duration = nil, 0 // TestDecodeTool
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateComparable(gate.Named{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeTool(t *testing.T) {
	at := time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		in   string
		want observe.Event
	}{
		"today's fields": {`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"},"tool_use_id":"t","prompt_id":"p","agent_id":"a","duration_ms":27}`,
			observe.Event{SessionID: "s", ToolName: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Output: json.RawMessage(`{"stdout":"x"}`), ToolUseID: "t", PromptID: "p", AgentID: "a", Duration: 27 * time.Millisecond}},
		"a failure":          {`{"hook_event_name":"PostToolUseFailure","error":"e","is_interrupt":true}`, observe.Event{Failed: true, Error: "e", Interrupted: true, Duration: -1}},
		"the older fields":   {`{"tool_output":"x","tool_error":"e","started_at":"2025-03-01T09:59:58Z","ended_at":"2025-03-01T10:00:00Z"}`, observe.Event{Output: json.RawMessage(`"x"`), Failed: true, Error: "e", EndedAt: at, Duration: 2 * time.Second}},
		"seconds":            {`{"started_at":1740823199.5,"ended_at":1740823200}`, observe.Event{EndedAt: at, Duration: 500 * time.Millisecond}},
		"milliseconds":       {`{"started_at":1740823199500,"ended_at":1740823200000}`, observe.Event{EndedAt: at, Duration: 500 * time.Millisecond}},
		"a clock went back":  {`{"started_at":1740823201,"ended_at":1740823200}`, observe.Event{EndedAt: at, Duration: -1}},
		"no clock":           {`{"started_at":"soon","ended_at":[]}`, observe.Event{Duration: -1}},
		"durations of odds":  {`{"duration_ms":-4}`, observe.Event{Duration: -1}},
		"null is absent":     {`{"tool_input":null,"tool_response":null,"error":null}`, observe.Event{Duration: -1}},
		"both outputs":       {`{"tool_output":"old","tool_response":"new"}`, observe.Event{Output: json.RawMessage(`"new"`), Duration: -1}},
		"an input":           {`{"tool_input":{"file_path":"a.go"}}`, observe.Event{Input: json.RawMessage(`{"file_path":"a.go"}`), Duration: -1}},
		"an input of a list": {`{"tool_input":["file_path"]}`, observe.Event{Input: json.RawMessage(`["file_path"]`), Duration: -1}},
		"other types":        {`{"session_id":5,"tool_name":{},"cwd":[],"error":7,"is_interrupt":"true"}`, observe.Event{Duration: -1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e, _, err := clients.Claude.Decode(json.RawMessage(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got := e.Event
			got.EndedAt = got.EndedAt.UTC()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, in := range []string{``, `[]`, `"x"`, `12`, `true`} {
		if e, _, err := clients.Claude.Decode(json.RawMessage(in)); err == nil {
			t.Errorf("%s: read %+v", in, e)
		}
	}
}

func TestEncode(t *testing.T) {
	const reason = "<why>\n\"so\""
	const quoted = `"<why>\n\"so\""`
	tests := map[string]struct {
		hook   string
		answer hooks.Answer
		want   string
	}{
		"nothing":              {"stop", hooks.Answer{}, ``},
		"context":              {"user-prompt-submit", hooks.Answer{Context: reason}, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":` + quoted + `}}`},
		"context and a person": {"session-start", hooks.Answer{Context: "c", Person: reason}, `{"systemMessage":` + quoted + `,"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`},
		"a person":             {"post-tool-use", hooks.Answer{Person: reason}, `{"systemMessage":` + quoted + `}`},
		"deny":                 {"pre-tool-use", hooks.Answer{Deny: reason}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + quoted + `}}`},
		"block":                {"post-tool-use", hooks.Answer{Block: reason}, `{"decision":"block","reason":` + quoted + `}`},
		"block and a person":   {"post-tool-use", hooks.Answer{Block: reason, Person: "p"}, `{"systemMessage":"p","decision":"block","reason":` + quoted + `}`},
		"ask":                  {"stop", hooks.Answer{Ask: reason, Person: "p"}, `{"systemMessage":"p","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":` + quoted + `}}`},
		"invisible characters": {"stop", hooks.Answer{Person: "a\u202eb\x1b[31m\nc"}, `{"systemMessage":"ab[31m\nc"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := clients.Claude.Encode(tt.hook, tt.answer); strings.TrimSuffix(got, "\n") != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// The client drops an answer that names another event than the one it is for.
func TestClaudeEventNames(t *testing.T) {
	var registration struct {
		Hooks map[string]json.RawMessage
	}
	data, err := os.ReadFile("../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &registration); err != nil {
		t.Fatal(err)
	}
	for _, hook := range hooks.All {
		entry, ok := registration.Hooks[clients.Claude.Event(hook.Name)]
		if !ok || !strings.Contains(string(entry), hook.Name) {
			t.Errorf("%s is not registered for %s", hook.Name, clients.Claude.Event(hook.Name))
		}
	}
}

func TestDecodeReadsWhatClaudeCodeSends(t *testing.T) {
	paths, err := filepath.Glob("../testdata/claude-code/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captured events: %v", err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			e, speaker, err := clients.Claude.Decode(json.RawMessage(read(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			event, _, _ := strings.Cut(strings.TrimSuffix(name, ".json"), "-")
			if speaker != clients.Claude || e.Name != event || e.SessionID == "" || e.Cwd == "" {
				t.Errorf("a field is missing: %+v", e)
			}
			if writes := e.ToolName == "Write" || e.ToolName == "Edit"; writes && len(e.Paths) == 0 || strings.HasSuffix(event, "ToolUse") && e.ToolName == "" {
				t.Errorf("the tool or its file is missing: %+v", e)
			}
			if e.TranscriptPath == gate.Name("") || event == "Stop" && (e.LastAnswer == "" || e.StopHookActive != strings.Contains(name, "active")) {
				t.Errorf("what a stop is about is missing: %+v", e)
			}
			if event == "UserPromptSubmit" && e.Prompt == "" || event == "SessionStart" && e.Source == "" {
				t.Errorf("what the event is about is missing: %+v", e)
			}
		})
	}
}
