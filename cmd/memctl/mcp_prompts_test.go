package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt gets a prompt, whose one message is the user's, and returns its text.
func (s mcpSession) prompt(name string, args map[string]string) string {
	s.t.Helper()
	result, err := s.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: name, Arguments: args})
	if err != nil {
		s.t.Fatal(err)
	}
	if len(result.Messages) != 1 || result.Messages[0].Role != "user" {
		s.t.Fatalf("the messages are %+v", result.Messages)
	}
	return result.Messages[0].Content.(*mcp.TextContent).Text
}

// Every client has the plugin's commands and its skill as prompts. They need no memory root.
func TestPromptsAreThePluginsCommands(t *testing.T) {
	t.Parallel()
	session := connect(t, t.TempDir())
	if c := session.InitializeResult().Capabilities; c.Prompts == nil || c.Prompts.ListChanged {
		t.Errorf("the capability is %+v", c.Prompts)
	}
	listed := map[string]*mcp.Prompt{}
	for prompt, err := range session.Prompts(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed[prompt.Name] = prompt
	}
	docs := pluginDocs(t)
	if len(listed) != len(docs) {
		t.Errorf("%d prompts of %d documents", len(listed), len(docs))
	}
	for _, doc := range docs {
		name, hint := strings.TrimSuffix(filepath.Base(doc.path), ".md"), strings.Trim(doc.head["argument-hint"], `"`)
		if doc.head["name"] != "" {
			name = doc.head["name"]
		}
		prompt := listed[name]
		if prompt == nil {
			t.Errorf("there is no prompt %s", name)
			continue
		}
		if prompt.Description == "" || prompt.Description != doc.head["description"] {
			t.Errorf("%s is described as %q", name, prompt.Description)
		}
		takesArgument := slices.ContainsFunc(prompt.Arguments, func(a *mcp.PromptArgument) bool {
			return a.Name == "arguments" && a.Description == hint && !a.Required
		})
		if takesArgument != (hint != "") || len(prompt.Arguments) > 1 {
			t.Errorf("%s takes %+v, want %q", name, prompt.Arguments, hint)
		}
		const said = `Kafka keeps "events" for 14 days, $ARGUMENTS or not`
		body := strings.TrimPrefix(doc.body, "\n")
		if got := session.prompt(name, nil); got != strings.ReplaceAll(body, "$ARGUMENTS", "") {
			t.Errorf("%s without an argument: %s", name, got)
		}
		if got := session.prompt(name, map[string]string{"arguments": said}); got != strings.ReplaceAll(body, "$ARGUMENTS", said) {
			t.Errorf("%s with an argument: %s", name, got)
		}
	}
	if first, _, _ := strings.Cut(session.prompt("memory-save", map[string]string{"arguments": "Tabs, not spaces"}), "\n"); first != "Save this as a memory: Tabs, not spaces" {
		t.Errorf("memory-save begins with %q", first)
	}
}

func TestUnknownPromptIsAnError(t *testing.T) {
	t.Parallel()
	session := connect(t, t.TempDir())
	for _, name := range []string{"memory-delete", "memory-save.md", "../memory", ""} {
		_, err := session.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: name})
		wire := new(jsonrpc.Error)
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A person without the plugin has no command of its name, so texts that everybody reads name none.
func TestTextsNameNoCommandOfThePluginAlone(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/dev/*.md", "hub/README.md", "cmd/memctl/help/*.txt", "cmd/memctl/answers/*.tmpl", "features/*/help/*.txt", "features/*/answers/*.tmpl", "triage/*.go", "hooks/*.go"} {
		paths, err := filepath.Glob(filepath.Join(pluginRoot, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, bare := range []string{"`/memory-save", "`/memory-search", "`/memory-config", "`/memory-import", "`/memory-review", "`/memory`", " /memory-"} {
				if strings.Contains(string(data), bare) {
					t.Errorf("%s names %s, which no client has: the plugin's begin with /memctl:", path, bare)
				}
			}
		}
	}
}
