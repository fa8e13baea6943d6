package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
)

type toolInput = map[string]any

const (
	searchTool   = "mcp__memctl__search"
	timelineTool = "mcp__memctl__timeline"
	getTool      = "mcp__memctl__get"
	saveTool     = "mcp__memctl__save"
)

var palletLabel = toolInput{
	"category": "constraint", "title": "Grapefruit pallets need a phytosanitary label", "tags": []string{"grapefruit"},
	"content": toolInput{"kind": "policy", "rule": "No pallet leaves without one.", "impact": []string{"It is sent back."}, "severity": "high", "active": true},
}

// With only the tools of the server, the agent searches, reads a timeline and a whole
// memory, and saves one. The client finds memctl on the PATH and loads tools when the model
// asks for them. It does not ask the user, because install has allowed them.
func TestServerInTheClient(t *testing.T) {
	for _, scope := range clients.Scopes {
		t.Run(scope, func(t *testing.T) { useServer(t, scope) })
	}
}

func useServer(t *testing.T, scope string) {
	c := newClient(t, findClient(t), "default")
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	memctl(t, c.dir, "", "install", "--scope", scope)
	m := newModel(t,
		reply{tool: "ToolSearch", input: toolInput{"query": "select:" + strings.Join([]string{searchTool, timelineTool, getTool, saveTool}, ",")}},
		reply{tool: searchTool, input: toolInput{"query": "idempotency webhooks"}},
		reply{tool: timelineTool, input: toolInput{"ids": []string{"webhook-idempotency-keys"}}},
		reply{tool: getTool, input: toolInput{"ids": []string{"webhook-idem"}}},
		reply{tool: saveTool, input: toolInput{"text": "Grapefruit pallets need a phytosanitary label. No pallet leaves without one."}},
		reply{tool: searchTool, input: toolInput{"query": "grapefruit"}},
		reply{text: "It is saved."},
	)
	asked := c.ask(m, "what do we do about grapefruit?")
	if len(asked) < 7 {
		t.Fatalf("the model was asked %d times: %s", len(asked), c.said)
	}
	if asked[0].count(instructionsBegin) != 1 || asked[0].count(saveTool) == 0 {
		t.Error("the client does not tell the model of the server")
	}
	for i, want := range map[int]string{
		2: `"id":"webhook-idempotency-keys"`,
		3: `"target":true`,
		4: `"stored":{"schema_version"`,
		5: `"status":"created"`,
		6: `"id":"grapefruit-pallets-need-a-phytosanitary-label"`,
	} {
		if result, failed := asked[i].lastResult(); failed || !strings.Contains(result, want) {
			t.Errorf("request %d has the result %.300q, want %s", i, result, want)
		}
	}
	if saved, err := os.ReadFile(c.path("preferences/grapefruit-pallets-need-a-phytosanitary-label.json")); !strings.Contains(string(saved), "No pallet leaves") {
		t.Errorf("the memory is not on disk: %v", err)
	}
}

// instructionsBegin is the beginning of the server's instructions for the model.
const instructionsBegin = "The project's memory: decisions, constraints"
