package observe

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseEvent(t *testing.T) {
	at := time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		in   string
		want Event
	}{
		"today's fields": {`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"},"tool_use_id":"t","prompt_id":"p","agent_id":"a","duration_ms":27}`,
			Event{SessionID: "s", ToolName: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Output: json.RawMessage(`{"stdout":"x"}`), ToolUseID: "t", PromptID: "p", AgentID: "a", Duration: 27 * time.Millisecond}},
		"a failure":          {`{"hook_event_name":"PostToolUseFailure","error":"e","is_interrupt":true}`, Event{Failed: true, Error: "e", Interrupted: true, Duration: -1}},
		"the older fields":   {`{"tool_output":"x","tool_error":"e","started_at":"2025-03-01T09:59:58Z","ended_at":"2025-03-01T10:00:00Z"}`, Event{Output: json.RawMessage(`"x"`), Failed: true, Error: "e", EndedAt: at, Duration: 2 * time.Second}},
		"seconds":            {`{"started_at":1740823199.5,"ended_at":1740823200}`, Event{EndedAt: at, Duration: 500 * time.Millisecond}},
		"milliseconds":       {`{"started_at":1740823199500,"ended_at":1740823200000}`, Event{EndedAt: at, Duration: 500 * time.Millisecond}},
		"a clock went back":  {`{"started_at":1740823201,"ended_at":1740823200}`, Event{EndedAt: at, Duration: -1}},
		"no clock":           {`{"started_at":"soon","ended_at":[]}`, Event{Duration: -1}},
		"durations of odds":  {`{"duration_ms":-4}`, Event{Duration: -1}},
		"null is absent":     {`{"tool_input":null,"tool_response":null,"error":null}`, Event{Duration: -1}},
		"both outputs":       {`{"tool_output":"old","tool_response":"new"}`, Event{Output: json.RawMessage(`"new"`), Duration: -1}},
		"an input":           {`{"tool_input":{"file_path":"a.go"}}`, Event{Input: json.RawMessage(`{"file_path":"a.go"}`), Duration: -1}},
		"an input of a list": {`{"tool_input":["file_path"]}`, Event{Input: json.RawMessage(`["file_path"]`), Duration: -1}},
		"other types":        {`{"session_id":5,"tool_name":{},"cwd":[],"error":7,"is_interrupt":"true"}`, Event{Duration: -1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseEvent(json.RawMessage(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got.EndedAt = got.EndedAt.UTC()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, in := range []string{``, `[]`, `"x"`, `null`} {
		if e, err := ParseEvent(json.RawMessage(in)); err == nil {
			t.Errorf("%s: read %+v", in, e)
		}
	}
}
