package schemas

import (
	"bytes"
	"encoding/json"
	"testing"
)

func observation(t testing.TB, id string) []byte {
	t.Helper()
	line := EncodeObservation(Observation{
		EventID: id, EventType: ToolObservation, SessionID: "s", Timestamp: "2026-01-01T00:00:00.000Z",
		Payload: ToolPayload{ToolName: "Bash", ToolInput: json.RawMessage(`{"event_id":"x","event_type":"tool_observation"}`)},
	})
	return bytes.TrimSuffix(line, []byte("\n"))
}

func TestDecodeObservation(t *testing.T) {
	one, two := string(observation(t, "one")), string(observation(t, "two"))
	tests := map[string]struct {
		line, id string // "" for none
		torn     bool
	}{
		"whole":                         {one, "one", false},
		"half a line":                   {one[:60], "", true},
		"nearly a whole line":           {one[:len(one)-1], "", true},
		"appended to half a line":       {one[:60] + two, "two", true},
		"appended to a word":            {`{"ev` + two, "two", true},
		"appended to two halves":        {one[:60] + one[:90] + two, "two", true},
		"another kind of event":         {`{"event_id":"a","event_type":"other","payload":{}}`, "", true},
		"no tool":                       {`{"event_id":"a","event_type":"tool_observation","payload":{}}`, "", true},
		"a list":                        {`[]`, "", true},
		"a payload of another type":     {`{"event_id":"a","event_type":"tool_observation","payload":"p"}`, "", true},
		"cut within the input's own id": {one[:bytes.Index([]byte(one), []byte(`"x"`))+4], "", true},
		"too long":                      {"", "", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o, payload, torn, err := DecodeObservation([]byte(tt.line))
			if o.EventID != tt.id || torn != tt.torn || (err == nil) != (tt.id != "") || err == nil && !json.Valid(payload) {
				t.Errorf("got %q, torn %v, %v", o.EventID, torn, err)
			}
		})
	}
}

// Where a line is torn and whatever stood there before, what is appended whole is
// found.
func FuzzDecodeObservation(f *testing.F) {
	valid := observation(f, "whole")
	for _, cut := range []int{0, 1, 13, 80, len(valid) - 1} {
		f.Add(valid[:cut])
	}
	f.Add([]byte(`{"event_id":"{"event_id":"`))
	f.Fuzz(func(t *testing.T, torn []byte) {
		if bytes.ContainsRune(torn, '\n') {
			return
		}
		DecodeObservation(torn)
		var complete any
		if json.Unmarshal(torn, &complete) == nil {
			return // a whole line has its own line feed
		}
		if o, _, _, err := DecodeObservation(append(bytes.Clone(torn), valid...)); err != nil || o.EventID == "" {
			t.Errorf("%v after %q", err, torn)
		}
	})
}

func TestUndecided(t *testing.T) {
	tests := map[string]bool{
		`{}`: true, `{"observations": {}}`: true, `{"observations": {"max_mb": 1}}`: true, string(InitialConfig): true,
		`{"observations": {"enabled": true}}`: false, `{"observations": {"enabled": false}}`: false, `{`: false, ``: false, `[]`: false,
	}
	for data, want := range tests {
		if got := Undecided([]byte(data), "observations.enabled"); got != want {
			t.Errorf("%s: %v, want %v", data, got, want)
		}
	}
	if !Undecided(nil, "observations.enabled") {
		t.Error("no file decides")
	}
}
