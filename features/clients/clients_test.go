package clients_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"memctl/clients"
	otherclients "memctl/features/clients"
	"memctl/hooks"
	"memctl/triage"
)

// The forms of answers that each client was seen to take.
func TestEncodeInEachClientsForm(t *testing.T) {
	answers := []struct {
		hook   string
		answer hooks.Answer
		want   map[*clients.Client]string
	}{
		{"user-prompt-submit", hooks.Answer{Context: "c"}, map[*clients.Client]string{
			otherclients.Codex:    `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}`,
			otherclients.Gemini:   `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"c"}}`,
			otherclients.OpenCode: `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}`,
			otherclients.Qwen:     `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}`,
			otherclients.Copilot:  `{"additionalContext":"c"}`,
		}},
		{"pre-tool-use", hooks.Answer{Deny: triage.SaveTool}, map[*clients.Client]string{
			otherclients.Codex:    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"mcp__memctl__save"}}`,
			otherclients.Gemini:   `{"decision":"deny","reason":"mcp_memctl_save"}`,
			otherclients.OpenCode: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memctl_save"}}`,
			otherclients.Qwen:     `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"mcp__memctl__save"}}`,
			otherclients.Copilot:  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memctl-save"}}`,
		}},
		{"stop", hooks.Answer{Ask: "a", Person: "p"}, map[*clients.Client]string{
			otherclients.Codex:    `{"systemMessage":"p","decision":"block","reason":"a"}`,
			otherclients.Gemini:   `{"systemMessage":"p","decision":"block","reason":"a"}`,
			otherclients.OpenCode: `{"systemMessage":"p","decision":"block","reason":"a"}`,
			otherclients.Qwen:     `{"systemMessage":"p","decision":"block","reason":"a"}`,
			otherclients.Copilot:  `{"systemMessage":"p","decision":"block","reason":"a"}`,
		}},
		{"stop", hooks.Answer{}, map[*clients.Client]string{otherclients.Codex: "", otherclients.Gemini: "{}", otherclients.OpenCode: "", otherclients.Qwen: "", otherclients.Copilot: ""}},
	}
	for _, tt := range answers {
		for client, want := range tt.want {
			if got := strings.TrimSuffix(client.Encode(tt.hook, tt.answer), "\n"); got != want {
				t.Errorf("%s, %s: got %s, want %s", client.Name, tt.hook, got, want)
			}
		}
	}
}

// Every file of a patch is guarded.
func TestCodexPatchNamesItsFiles(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: a b.txt\n+*** Delete File: not.txt\n*** Update File: c.txt\r\n*** Move to: d.txt\n@@\n-x\n*** Delete File: /e.txt\n*** End Patch"
	input, err := json.Marshal(map[string]string{"command": patch})
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := otherclients.Codex.Decode(json.RawMessage(`{"tool_name":"apply_patch","tool_input":` + string(input) + `}`))
	if want := []string{"a b.txt", "c.txt", "d.txt", "/e.txt"}; err != nil || !slices.Equal(e.Paths, want) || e.ToolName != "Edit" {
		t.Errorf("%s writes %q, %v", e.ToolName, e.Paths, err)
	}
}

// The plugin of OpenCode and the settings of the others register each client's own name.
func TestNames(t *testing.T) {
	for _, client := range clients.All() {
		if clients.Named(client.Name) != client {
			t.Errorf("%s is not found by its name", client.Name)
		}
	}
	if clients.Named("cursor") != nil {
		t.Error("found a client that does not exist")
	}
}
