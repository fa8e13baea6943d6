// Package clients holds an adapter for each client whose hooks memctl answers: the names
// of its events, tools and members, the form of its answers, and its transcripts. An
// adapter turns a client's event into memctl's own and an answer into the client's JSON.
// It decides nothing.
package clients

import (
	"cmp"
	"encoding/json"
	"io"
	"strings"

	"memctl/hooks"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// Client is a client of memctl's hooks. What it does not say is as in Claude Code.
type Client struct {
	Name string // as --client takes it

	home     string
	events   names                               // memctl's hooks and the client's events
	tools    names                               // the client's tools and Claude Code's, by which observations name them
	members  names                               // likewise the members of the inputs of tools for files
	ownTools string                              // what begins the client's names of the tools of memctl's MCP server
	adapt    func(w *wire, e *hooks.Event) error // reads what only this client sends
	form     form
	messages triage.Messages
	exitCode func(transcript []byte, toolUse string) (code int, known bool)
}

// names are pairs of names. They are few and need no map, which would be made at every
// start.
type names [][2]string

// second returns what a name is paired with, or the name itself.
func (n names) second(first string) string {
	for _, pair := range n {
		if pair[0] == first {
			return pair[1]
		}
	}
	return first
}

// All lists the clients in the order of the help text.
func All() []*Client { return []*Client{Claude, Codex, Gemini, OpenCode, Qwen, Copilot} }

// Named returns the client with a name, nil if there is none.
func Named(name string) *Client {
	for _, c := range All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Event returns the client's name for a hook's event, such as UserPromptSubmit for
// user-prompt-submit.
func (c *Client) Event(hook string) string {
	if event := c.events.second(hook); event != hook {
		return event
	}
	var name strings.Builder
	for word := range strings.SplitSeq(hook, "-") {
		name.WriteString(strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):])
	}
	return name.String()
}

// LogName returns the client's name in the log of the runs.
func (c *Client) LogName() string {
	if c == Claude {
		return ""
	}
	return c.Name
}

// Messages reads a line of a transcript.
func (c *Client) Messages(line []byte) []triage.Message { return c.messages(line) }

// Home returns the environment variable that moves the client's own folder, "" for none.
func (c *Client) Home() string { return c.home }

// maxTail is how much of a transcript's end is searched for the end of a command.
const maxTail = 1 << 20

// ExitCode finds in the transcript how a command ended.
func (c *Client) ExitCode(transcript io.ReaderAt, size int64, toolUse string) (code int, known bool) {
	if c.exitCode == nil {
		return 0, false
	}
	start := max(0, size-maxTail)
	tail, err := io.ReadAll(io.NewSectionReader(transcript, start, size-start))
	if err != nil {
		return 0, false
	}
	return c.exitCode(tail, toolUse)
}

// toolName returns Claude Code's name of a tool.
func (c *Client) toolName(name string) string {
	if tool, own := strings.CutPrefix(name, c.ownTools); own && c.ownTools != "" {
		return triage.OwnTools + tool
	}
	return c.tools.second(name)
}

// renamed gives the members of a tool's input the names that they have in Claude Code.
func (c *Client) renamed(input json.RawMessage) json.RawMessage {
	if len(c.members) == 0 {
		return input
	}
	fields := map[string]json.RawMessage{}
	if !decodeObject(input, &fields) {
		return input
	}
	for _, pair := range c.members {
		if value, ok := fields[pair[0]]; ok {
			delete(fields, pair[0])
			fields[pair[1]] = value
		}
	}
	data, err := schemas.EncodeJSON(fields)
	if err != nil {
		return input
	}
	return data
}

// form is how a client wants its answers. The zero form is Claude Code's: a
// hookSpecificOutput.
type form struct {
	flatContext bool   // additionalContext stands at the top
	flatDenial  bool   // a tool is denied by a decision
	blockStop   bool   // the agent is asked by blocking the stop
	goOn        string // the answer that says nothing
}

// answer is an answer on stdout, with exit status 0. Clients take at most one JSON value.
type answer struct {
	Message  string    `json:"systemMessage,omitempty"` // the client shows it to the person
	Context  string    `json:"additionalContext,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event    string `json:"hookEventName"` // without it Claude Code ignores the answer
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

// Encode renders a hook's answer as a line of JSON.
func (c *Client) Encode(hook string, a hooks.Answer) string {
	for _, s := range []*string{&a.Person, &a.Context, &a.Deny, &a.Block, &a.Ask} {
		*s = text.Paragraph(*s)
	}
	if c.ownTools != "" {
		for _, s := range []*string{&a.Deny, &a.Block, &a.Ask} {
			*s = strings.ReplaceAll(*s, triage.OwnTools, c.ownTools)
		}
	}
	out := answer{Message: a.Person}
	switch {
	case a.Deny != "" && c.form.flatDenial:
		out.Decision, out.Reason = "deny", a.Deny
	case a.Deny != "":
		out.Specific = &specific{Event: c.Event(hook), Decision: "deny", Reason: a.Deny}
	case a.Block != "":
		out.Decision, out.Reason = "block", a.Block
	case a.Ask != "" && c.form.blockStop:
		out.Decision, out.Reason = "block", a.Ask
	case a.Context != "" && c.form.flatContext:
		out.Context = a.Context
	case a.Ask != "" || a.Context != "":
		out.Specific = &specific{Event: c.Event(hook), Context: cmp.Or(a.Ask, a.Context)}
	case a.Person == "":
		return c.form.goOn
	}
	line, _ := schemas.EncodeJSON(out) // of strings: cannot fail
	return string(line) + "\n"
}
