package hooks

import (
	"context"
	"slices"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/text"
)

// contextID names what the agent has in mind: a subagent starts with nothing of what the
// session has got.
func (c *Call) contextID() string {
	if c.Event.AgentID != "" && c.Event.SessionID != "" {
		return c.Event.SessionID + "-" + c.Event.AgentID
	}
	return c.Event.SessionID
}

// withoutGiven leaves out the results that the agent has got already.
func (c *Call) withoutGiven(results []retrieve.Result) []retrieve.Result {
	had := observe.ReadGiven(c.contextID())
	return slices.DeleteFunc(results, func(r retrieve.Result) bool { return had[r.Given()] })
}

// noteGiven notes what the agent gets.
func (c *Call) noteGiven(ctx context.Context, given []retrieve.Result) {
	if ctx.Err() != nil {
		return
	}
	list := make([]memdir.Version, len(given))
	for i, r := range given {
		list[i] = r.Given()
	}
	if err := observe.NoteGiven(c.contextID(), list); err != nil {
		c.note("warning: the session may get a memory twice: %s", text.Printable(err.Error()))
	}
}
