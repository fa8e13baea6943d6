// Package skills holds the skills of the Claude Code plugin, which are prompts of the MCP server
// too.
package skills

import "embed"

//go:embed */SKILL.md
var Files embed.FS
