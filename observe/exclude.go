package observe

import (
	"encoding/json"
	"slices"
	"strings"

	"memctl/schemas"
)

// bookkeeping are tools by which an agent keeps its own lists.
var bookkeeping = []string{"TodoWrite", "TodoRead"}

// excluded tells whether a tool is not observed: what memctl itself does would
// double every memory.
func excluded(patterns []string, e Event) bool {
	switch {
	case slices.Contains(bookkeeping, e.ToolName), isOwnTool(e.ToolName):
		return true
	case e.ToolName == "Bash" && runsMemctl(schemas.String(member(e.Input, "command"))):
		return true
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		start, open := strings.CutSuffix(pattern, "*")
		return pattern == e.ToolName || open && strings.HasPrefix(e.ToolName, start)
	})
}

// isOwnTool tells the tools of memctl's MCP server: mcp__memctl__search, or with
// the plugin's name before the server's.
func isOwnTool(name string) bool {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, _, _ := strings.Cut(rest, "__")
	return ok && slices.Contains(strings.Split(server, "_"), "memctl")
}

// member returns the last member of that name of an object.
func member(object json.RawMessage, name string) (found json.RawMessage) {
	for key, value := range schemas.Members(object) {
		if key == name {
			found = value
		}
	}
	return found
}
