package main

//lint:file-ignore SA1019 the newest protocol gives roots up, the clients of today name theirs

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

// asServer makes the test binary the server: the tests run a process, as a client
// does.
const asServer = "MEMCTL_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Args = append(os.Args[:1], strings.Fields(os.Getenv(asServer+"_ARGS"))...)
		main()
	}
	os.Unsetenv("MEMCTL_ROOT")
	os.Unsetenv("CLAUDE_PROJECT_DIR")
	os.Exit(m.Run())
}

// project is a folder with the sample store as its memories.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, ".claude", "memory"), os.DirFS("../../testdata/stores/parcel")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func server(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asServer+"=1")
	command.Dir = dir
	command.Stderr = os.Stderr
	return command
}

// connect starts a server in dir and a session with it; roots are what the client
// says it works in.
func connect(t *testing.T, dir string, roots ...string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	if len(roots) > 0 {
		client = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	}
	for _, root := range roots {
		client.AddRoots(rootAt(root))
	}
	return open(t, client, dir, "")
}

func rootAt(dir string) *mcp.Root { return &mcp.Root{URI: "file://" + filepath.ToSlash(dir)} }

// open starts a server in dir and a session of a client with it, by a version of the
// protocol; "" is the newest.
func open(t *testing.T, client *mcp.Client, dir, version string) *mcp.ClientSession {
	t.Helper()
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: server(t, dir)}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call runs a tool that must succeed and decodes its structured result.
func call(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any, into any) {
	t.Helper()
	result := try(t, session, tool, args)
	if result.IsError {
		t.Fatalf("%s %v: %s", tool, args, said(result))
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func try(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return result
}

func said(result *mcp.CallToolResult) string {
	var all []string
	for _, part := range result.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

type row struct {
	ID        string
	Type      string
	Category  string
	Summary   string
	Relevance float64
	Timestamp string
	Tokens    int
}

func search(t *testing.T, session *mcp.ClientSession, args map[string]any) []row {
	t.Helper()
	var out struct{ Rows []row }
	call(t, session, "search", args, &out)
	return out.Rows
}
