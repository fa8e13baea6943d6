// Package commands holds the slash commands of the Claude Code plugin, which are prompts of the
// MCP server too.
package commands

import "embed"

//go:embed *.md
var Files embed.FS
