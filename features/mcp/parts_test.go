package mcp

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/store"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tool search names the scopes of the parts that a server has.
func TestSearchNamesTheScopesThatThereAre(t *testing.T) {
	hub := struct{ command.Hub }{}
	sessions := func(context.Context, string) (command.Sessions, error) { return nil, nil }
	const all = "all: every project, if the user allows it; get does not read those"
	const ofHub, past = ". hub: the company's hub too", ". sessions: what was said in past sessions, which get reads"
	for name, tt := range map[string]struct {
		options     Options
		description string
		scopes      string
	}{
		"both":     {Options{Hub: hub, OpenSessions: sessions}, all + ofHub + past, "all, hub, sessions"},
		"the hub":  {Options{Hub: hub}, all + ofHub, "all, hub"},
		"sessions": {Options{OpenSessions: sessions}, all + past, "all, sessions"},
		"neither":  {Options{}, all, "all"},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(tt.options)
			if got := s.searchSchema().Properties["scope"].Description; got != tt.description {
				t.Errorf("scope is described as %q, want %q", got, tt.description)
			}
			_, err := s.search(t.Context(), nil, searchInput{Query: "x", Scope: "moon"})
			if want := "scope: expected " + tt.scopes + ` or none, got "moon"`; err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// serve starts a server and a client's session with it.
func serve(t *testing.T, o Options) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- New(o).Run(context.WithoutCancel(t.Context()), "1", toServer, fromServer) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return session
}

// Without a hub, sessions, notes and a model the server has its four tools, and their ids are unknown ones.
func TestServerWithoutParts(t *testing.T) {
	home := t.TempDir()
	for _, variable := range []string{"HOME", "USERPROFILE", "XDG_STATE_HOME"} {
		t.Setenv(variable, home)
	}
	t.Setenv("MEMCTL_USER_ROOT", "")
	root, err := files.Init(filepath.Join(home, "shop", files.RootPath))
	if err != nil {
		t.Fatal(err)
	}
	warn := func(message string) { t.Errorf("the server warns: %s", message) }
	session := serve(t, Options{Places: files.Places{Flag: root.Root}, Warn: warn})
	if tools, err := session.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 4 {
		t.Fatalf("tools %v: %v", tools, err)
	}
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		message   string // "" for a result
	}{
		{"save", map[string]any{"text": "Kafka keeps messages for a week."}, ""},
		{"search", map[string]any{"query": "kafka"}, ""},
		{"search", map[string]any{"query": "kafka", "scope": scopeHub}, "scope: expected all or none"},
		{"search", map[string]any{"query": "kafka", "scope": scopeSessions}, "scope: expected all or none"},
		{"get", map[string]any{"ids": []string{"github.com/acme/shop:decisions/kafka"}}, "expected an id, not a path"},
		{"get", map[string]any{"ids": []string{"session/first/1"}}, "expected an id, not a path"},
	} {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
		if err != nil {
			t.Fatal(err)
		}
		message := result.Content[0].(*sdk.TextContent).Text
		if result.IsError != (tt.message != "") || !strings.Contains(message, tt.message) {
			t.Errorf("%s %v: %s, want %q", tt.tool, tt.arguments, message, tt.message)
		}
	}
}

// The tool why is there where a feature answers it, and passes the place on.
func TestWhyIsAToolWhereThereIsAnAnswer(t *testing.T) {
	home := t.TempDir()
	root, err := files.Init(filepath.Join(home, "shop", files.RootPath))
	if err != nil {
		t.Fatal(err)
	}
	session := serve(t, Options{Places: files.Places{Flag: root.Root}, Warn: func(string) {},
		Why: func(_ context.Context, _ *store.Store, place string) (any, error) {
			return map[string]string{"place": place}, nil
		}})
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "why",
		Arguments: map[string]any{"place": "src/queue.go:3,5"}})
	if err != nil || result.IsError {
		t.Fatal(result, err)
	}
	if text := result.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, `"src/queue.go:3,5"`) {
		t.Error(text)
	}
}
