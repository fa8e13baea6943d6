package hooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestEncodeAnswer(t *testing.T) {
	const reason = "<why>\n\"so\""
	const quoted = `"<why>\n\"so\""`
	tests := map[string]struct {
		hook   string
		answer Answer
		want   string
	}{
		"nothing":              {"stop", Answer{}, ``},
		"context":              {"user-prompt-submit", Answer{Context: reason}, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":` + quoted + `}}`},
		"context and a person": {"session-start", Answer{Context: "c", Person: reason}, `{"systemMessage":` + quoted + `,"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`},
		"a person":             {"post-tool-use", Answer{Person: reason}, `{"systemMessage":` + quoted + `}`},
		"deny":                 {"pre-tool-use", Answer{Deny: reason}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":` + quoted + `}}`},
		"block":                {"post-tool-use", Answer{Block: reason}, `{"decision":"block","reason":` + quoted + `}`},
		"block and a person":   {"post-tool-use", Answer{Block: reason, Person: "p"}, `{"systemMessage":"p","decision":"block","reason":` + quoted + `}`},
		"ask":                  {"stop", Answer{Ask: reason, Person: "p"}, `{"systemMessage":"p","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":` + quoted + `}}`},
		"invisible characters": {"stop", Answer{Person: "a\u202eb\x1b[31m\nc"}, `{"systemMessage":"ab[31m\nc"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := encodeAnswer(tt.hook, tt.answer); strings.TrimSuffix(got, "\n") != tt.want {
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
	data, err := os.ReadFile("hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &registration); err != nil {
		t.Fatal(err)
	}
	for _, hook := range All {
		entry, ok := registration.Hooks[claudeEventName(hook.Name)]
		if !ok || !strings.Contains(string(entry), hook.Name) {
			t.Errorf("%s is not registered for %s", hook.Name, claudeEventName(hook.Name))
		}
	}
}
