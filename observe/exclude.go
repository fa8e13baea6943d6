package observe

import (
	"slices"
	"strings"
)

// bookkeeping are tools by which an agent keeps its own lists.
var bookkeeping = []string{"TodoWrite", "TodoRead"}

// Excluded reports whether a tool is not observed. The runs of memctl itself are
// not: they would duplicate every memory.
func Excluded(patterns []string, e Event) bool {
	switch {
	case slices.Contains(bookkeeping, e.ToolName), isOwnTool(e.ToolName):
		return true
	case e.ToolName == "Bash" && runsMemctl(decode[arguments](e.Input).Command):
		return true
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		start, open := strings.CutSuffix(pattern, "*")
		return pattern == e.ToolName || open && strings.HasPrefix(e.ToolName, start)
	})
}

// isOwnTool reports whether name is a tool of memctl's MCP server, e.g.
// "mcp__memctl__search" or "mcp__plugin_memctl_memctl__search".
func isOwnTool(name string) bool {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, _, _ := strings.Cut(rest, "__")
	return ok && slices.Contains(strings.Split(server, "_"), "memctl")
}
