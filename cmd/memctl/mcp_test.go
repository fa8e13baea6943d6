package main

//lint:file-ignore SA1019 the newest protocol drops roots, but the clients of today use them

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpSession is a client's session with "memctl mcp", run as a process in a folder.
type mcpSession struct {
	*mcp.ClientSession
	t *testing.T
}

func mcpServer(dir string) *exec.Cmd {
	command := exec.Command("memctl", "mcp")
	command.Dir = dir
	command.Env = append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=")
	command.Stderr = os.Stderr
	return command
}

func newMCPClient(options *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
}

// connect starts a server in dir and a session with it. The client says that it works
// in roots.
func connect(t *testing.T, dir string, roots ...string) mcpSession {
	t.Helper()
	client := newMCPClient(nil)
	if len(roots) == 0 {
		client = newMCPClient(&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	}
	for _, root := range roots {
		client.AddRoots(rootAt(root))
	}
	return openSession(t, client, mcpServer(dir), "")
}

// slashed returns the path of a file: URI, which begins with a slash on Windows too.
func slashed(dir string) string { return "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/") }

func rootAt(dir string) *mcp.Root { return &mcp.Root{URI: "file://" + slashed(dir)} }

// openSession starts a server and a session of a client with it, in a version of the
// protocol; "" is the newest.
func openSession(t *testing.T, client *mcp.Client, server *exec.Cmd, version string) mcpSession {
	t.Helper()
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: server}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return mcpSession{session, t}
}

// call runs a tool that must succeed and decodes its structured result.
func (s mcpSession) call(tool string, args map[string]any, into any) {
	s.t.Helper()
	result := s.try(tool, args)
	if result.IsError {
		s.t.Fatalf("%s %v: %s", tool, args, said(result))
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s mcpSession) try(tool string, args map[string]any) *mcp.CallToolResult {
	s.t.Helper()
	result, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		s.t.Fatalf("%s %v: %v", tool, args, err)
	}
	return result
}

// said is the text of a tool's result.
func said(result *mcp.CallToolResult) string {
	var all []string
	for _, part := range result.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

type mcpRow struct {
	ID        string
	Type      string
	Category  string
	Summary   string
	Outdated  string
	Relevance float64
	Timestamp string
	Tokens    int
}

func (s mcpSession) search(args map[string]any) []mcpRow {
	s.t.Helper()
	var out struct{ Rows []mcpRow }
	s.call("search", args, &out)
	return out.Rows
}
