package mcp

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"memctl/commands"
	"memctl/hooks"
	"memctl/skills"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// promptArgument is the argument of a prompt, and argumentsMark its place in a slash command.
const (
	promptArgument = "arguments"
	argumentsMark  = "$ARGUMENTS"
)

// addPrompts adds the slash commands and the skill of the plugin, which other clients do not have.
func addPrompts(server *sdk.Server) {
	files := func(from fs.FS, pattern string, nameOf func(file string) string) {
		paths, _ := fs.Glob(from, pattern) // the pattern is valid
		for _, file := range paths {
			data, _ := fs.ReadFile(from, file) // embedded
			addPrompt(server, nameOf(file), string(data))
		}
	}
	files(commands.Files, "*.md", func(file string) string { return strings.TrimSuffix(file, ".md") })
	files(skills.Files, "*/SKILL.md", path.Dir)
}

func addPrompt(server *sdk.Server, name, markdown string) {
	front, body := hooks.CutFront(markdown)
	prompt := &sdk.Prompt{Name: name}
	for line := range strings.Lines(front) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch value = strings.Trim(value, `"`); key {
		case "description":
			prompt.Description = value
		case "argument-hint":
			prompt.Arguments = []*sdk.PromptArgument{{Name: promptArgument, Description: value}}
		}
	}
	body = strings.TrimPrefix(body, "\n")
	server.AddPrompt(prompt, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		message := strings.ReplaceAll(body, argumentsMark, req.Params.Arguments[promptArgument])
		return &sdk.GetPromptResult{Description: prompt.Description,
			Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: message}}}}, nil
	})
}
