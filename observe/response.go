package observe

import (
	"encoding/json"
	"strconv"

	"memctl/schemas"
)

// response holds the members of all tools' responses that memctl reads.
type response struct {
	plain string // a response that is only text, as older clients send it

	// Any tool.
	Interrupted bool `json:"interrupted"`
	IsError     bool `json:"is_error"`
	IsMCPError  bool `json:"isError"`

	// Bash.
	Stdout         string `json:"stdout"`
	Stderr         string `json:"stderr"`
	IsImage        bool   `json:"isImage"`
	ExitCode       count  `json:"exitCode"`
	OlderExitCode  count  `json:"exit_code"`
	Interpretation string `json:"returnCodeInterpretation"` // of an exit that is no failure
	BackgroundTask string `json:"backgroundTaskId"`

	// Read and Write.
	Type string          `json:"type"` // "text", "image", "create", "update", ...
	File json.RawMessage `json:"file"` // a file

	// Edit. Its response also has the whole file, which is not kept.
	Patch list[hunk] `json:"structuredPatch"`

	// Grep and Glob.
	Filenames  list[string] `json:"filenames"`
	Mode       string       `json:"mode"`
	NumMatches count        `json:"numMatches"`
	NumLines   count        `json:"numLines"`
	NumFiles   count        `json:"numFiles"`

	// WebFetch.
	Code      count  `json:"code"`
	OlderCode count  `json:"status_code"`
	Result    string `json:"result"`

	// A string for Grep and older versions of Read, a list of blocks for MCP tools
	// and subagents.
	Content json.RawMessage `json:"content"`
}

// file is what Read read.
type file struct {
	Content  string `json:"content"`
	NumLines count  `json:"numLines"`
}

// hunk is a part of what Edit changed.
type hunk struct {
	OldStart json.RawMessage `json:"oldStart"` // line numbers
	NewStart json.RawMessage `json:"newStart"`
	Lines    []string        `json:"lines"`
}

// block is one item of the content of an MCP tool or a subagent.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// maxList bounds the JSON of a list that is decoded, in bytes: small items take many
// times as much memory as their JSON.
const maxList = 1 << 20

// list is a list of JSON values. A longer one than maxList counts as absent.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(raw []byte) error {
	if len(raw) <= maxList {
		*l = decode[[]T](raw)
	}
	return nil
}

// count is a whole number; any other value counts as absent.
type count struct{ n *int }

func (c *count) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		c.n = &n
	}
	return nil
}

func newResponse(raw json.RawMessage) response {
	r := decode[response](raw)
	r.plain = schemas.String(raw)
	return r
}
