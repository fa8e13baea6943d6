package hooks

import (
	"encoding/json"
	"io"

	"memctl/triage"
)

// Client is how an agent's client speaks. Package clients has an adapter for each.
type Client interface {
	// Decode reads an event and returns the client that sent it: some run the hooks of
	// another client's settings.
	Decode(raw json.RawMessage) (Event, Client, error)
	// Encode renders an answer for stdout. The zero Answer lets the agent go on.
	Encode(hook string, a Answer) string
	// LogName is the client's name in the log of the runs; "" for Claude Code.
	LogName() string
	// Home names the environment variable that moves the client's own folder, where its
	// transcripts are; "" for none.
	Home() string
	// AfterTool reports whether what the agent is to know before it uses a tool reaches it
	// only after the tool: the client drops it before.
	AfterTool() bool
	// Confirms reports whether a hook can have the client ask the person before a tool runs,
	// and there is one to ask.
	Confirms() bool
	// Loads reads the files that the client puts into every request by itself, of a session in
	// a folder of a project.
	Loads(project, cwd string) []Loaded
	// HasServer reports whether the client starts memctl's MCP server in a project, as far as its
	// files tell.
	HasServer(project string) bool
	// Messages reads a line of a transcript.
	Messages(line []byte) []triage.Message
	// ExitCode finds in a transcript of that size how the use of a tool ended.
	ExitCode(transcript io.ReaderAt, size int64, toolUse string) (code int, known bool)
}
