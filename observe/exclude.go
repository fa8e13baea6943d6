package observe

import (
	"encoding/json"
	"path"
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

// runsMemctl tells whether one of the commands of a line is memctl.
func runsMemctl(command string) bool {
	for part := range strings.FieldsFuncSeq(command, func(r rune) bool { return strings.ContainsRune(";&|()`", r) }) {
		for word := range strings.FieldsSeq(part) {
			if strings.Contains(word, "=") {
				continue // sets a variable for the command
			}
			if strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe") == "memctl" {
				return true
			}
			break
		}
	}
	return false
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
