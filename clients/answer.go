package clients

import (
	"cmp"
	"strings"

	"memctl/hooks"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// answerForm is how a client wants its answers. The zero form is Claude Code's: a
// hookSpecificOutput.
type answerForm struct {
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
	for _, s := range []*string{&a.Person, &a.Context, &a.Confirm, &a.Deny, &a.Block, &a.Ask} {
		*s = text.Paragraph(*s)
	}
	if c.ownTools != "" {
		for _, s := range []*string{&a.Context, &a.Deny, &a.Block, &a.Ask} {
			*s = strings.ReplaceAll(*s, triage.OwnTools, c.ownTools)
		}
	}
	out := answer{Message: a.Person}
	switch {
	case a.Deny != "" && c.answers.flatDenial:
		out.Decision, out.Reason = "deny", a.Deny
	case a.Deny != "":
		out.Specific = &specific{Event: c.Event(hook), Decision: "deny", Reason: a.Deny}
	case a.Confirm != "":
		out.Specific = &specific{Event: c.Event(hook), Context: a.Context, Decision: "ask", Reason: a.Confirm}
	case a.Block != "":
		out.Decision, out.Reason = "block", a.Block
	case a.Ask != "" && c.answers.blockStop:
		out.Decision, out.Reason = "block", a.Ask
	case a.Context != "" && c.answers.flatContext && hook != beforeTool:
		out.Context = a.Context
	case a.Ask != "" || a.Context != "":
		out.Specific = &specific{Event: c.Event(hook), Context: cmp.Or(a.Ask, a.Context)}
	case a.Person == "":
		return c.answers.goOn
	}
	line, _ := schemas.EncodeJSON(out) // of strings: cannot fail
	return string(line) + "\n"
}
