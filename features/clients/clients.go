// Package clients has the clients besides Claude Code: a file for each, with the names of its events, tools and
// members, the form of its answers, its transcripts and its files. Package memctl/clients does the work.
package clients

import (
	"memctl/clients"
	"memctl/cmd/command"
)

// Feature is this package for a program.
func Feature() command.Feature { return command.Feature{Name: "clients", Clients: All()} }

// All lists them in the order of the help text.
func All() []*clients.Client { return []*clients.Client{Codex, Gemini, OpenCode, Qwen, Copilot} }
