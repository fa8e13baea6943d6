package hub

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"memctl/features/hub/remote"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer sends a token with each request of a client.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// connect connects an MCP client to the hub.
func (h servedHub) connect(t *testing.T, token string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url + mcpPath, HTTPClient: &http.Client{Transport: bearer{token}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool and returns its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, content := range result.Content {
		text += content.(*mcp.TextContent).Text
	}
	return text, result.IsError
}

func TestMCP(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.options.Version = "1.2.3"
	h.server.routes = h.server.newRoutes()
	h.grant(t, "everyone", "%", true)
	token := h.token(t, "anna")
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate"), note("kafka", "Kafka keeps \u202e events")))
	session := h.connect(t, token)
	if got := session.InitializeResult().ServerInfo.Version; got != "1.2.3" {
		t.Errorf("the version is %s", got)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("%v: %v", tools, err)
	}
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s writes", tool.Name)
		}
	}
	id := payments + ":decisions/jwt"
	tests := []struct {
		tool      string
		arguments map[string]any
		failed    bool
		says      string
	}{
		{"search", map[string]any{"query": "rotating keys"}, false, `"id":"` + id + `"`},
		{"search", map[string]any{"query": "rotating keys"}, false, `"commit":"` + commitOf(1) + `"`},
		{"search", map[string]any{"query": "no such thing"}, false, `"results":[]`},
		{"search", map[string]any{"query": "kafka"}, false, `"title":"Kafka keeps  events"`},
		{"search", map[string]any{"query": ""}, true, "query"},
		{"search", map[string]any{"query": "keys", "limit": 51}, true, "limit"},
		{"search", map[string]any{"query": "keys", "category": "idea"}, true, "category"},
		{"search", map[string]any{"query": "keys", "scope": "all"}, true, "scope"},
		{"timeline", map[string]any{"id": id}, false, `"memory":{"id":"` + id + `"`},
		{"timeline", map[string]any{"id": "jwt"}, true, "id"},
		{"get", map[string]any{"ids": []string{id}}, false, `"decision":"JWT keys rotate"`},
		{"get", map[string]any{"ids": []string{}}, true, "ids"},
		{"get", map[string]any{"ids": []string{payments + ":decisions/nosuch"}}, true, "nosuch"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.tool, tt.arguments), func(t *testing.T) {
			if text, failed := call(t, session, tt.tool, tt.arguments); failed != tt.failed || !strings.Contains(text, tt.says) {
				t.Errorf("failed %v, says %s", failed, text)
			}
		})
	}
	resource, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: resourceScheme + id})
	if err != nil || !strings.Contains(resource.Contents[0].Text, "JWT keys rotate") {
		t.Errorf("the resource is %v: %v", resource, err)
	}
	for _, uri := range []string{resourceScheme, resourceScheme + "%zz", resourceScheme + payments, resourceScheme + payments + ":decisions/nosuch", "file:///etc/passwd"} {
		if got, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is %v", uri, got)
		}
	}
}

// The server keeps nothing between two requests, so that no one can go on with what
// another person began.
func TestMCPHasNoSessions(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	h.grant(t, "user:anna", "%", true)
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate")))
	session := h.connect(t, h.token(t, "anna"))
	if text, _ := call(t, session, "search", map[string]any{"query": "keys"}); !strings.Contains(text, payments) {
		t.Fatalf("anna sees %s", text)
	}
	if session.ID() != "" {
		t.Errorf("there is a session %s", session.ID())
	}
	got := h.request(t, "POST", mcpPath, h.token(t, "ben"), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"keys"}}}`),
		"Mcp-Session-Id", "of-anna", "Mcp-Protocol-Version", "2025-06-18")
	if got.status != http.StatusOK || strings.Contains(got.body, payments) {
		t.Errorf("ben sees %d %s", got.status, got.body)
	}
	if got := h.request(t, "DELETE", mcpPath, h.token(t, "ben"), nil, "Mcp-Session-Id", "of-anna"); got.status != http.StatusMethodNotAllowed {
		t.Errorf("ben ends a session: %d", got.status)
	}
}

// What the SDK offers besides does not keep a request open.
func TestOtherMethodsOfMCPAreRefused(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	for _, method := range []string{"logging/setLevel", "prompts/list", "resources/subscribe", "completion/complete", "nosuch"} {
		got := h.request(t, "POST", mcpPath, token, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{}}`), "Mcp-Protocol-Version", "2025-06-18")
		if !strings.Contains(got.body, "-32601") && got.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", method, got.status, got.body)
		}
	}
	const newest = "2026-07-28"
	listen := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"` + newest + `","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	got := h.request(t, "POST", mcpPath, token, strings.NewReader(listen), "Mcp-Protocol-Version", newest, "Mcp-Method", "subscriptions/listen")
	if !strings.Contains(got.body, "-32601") {
		t.Errorf("subscriptions/listen: %d %s", got.status, got.body)
	}
}

// A failure that a client can do nothing about is in the log, not in the answer.
func TestInternalErrorsAreHidden(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	h.exec(t, `ALTER TABLE audit RENAME person TO who`)
	session := h.connect(t, token)
	text, failed := call(t, session, "search", map[string]any{"query": "keys"})
	if !failed || text != errInternal.Message {
		t.Errorf("MCP says %s", text)
	}
	got := h.post(t, remote.SearchPath, token, remote.Query{Query: "keys"})
	want := remote.Error{Code: "internal", Message: errInternal.Message, Request: "test"}
	if e := got.error(t); got.status != http.StatusInternalServerError || e != want {
		t.Errorf("%d %s", got.status, got.body)
	}
	if !strings.Contains(h.log.String(), "42703") {
		t.Errorf("the log does not say why: %s", h.log)
	}
}
