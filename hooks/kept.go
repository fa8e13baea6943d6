package hooks

import (
	"context"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// noteTried notes the rules that a call is about to break: they forbid it, and the agent was given them at an act
// before. The call that a rule comes with for the first time breaks nothing, nor does one that the person lets run.
func (c *Call) noteTried(ctx context.Context, results []retrieve.Result, asked bool) {
	var had map[files.Version]bool
	var tried []files.Version
	for _, r := range results {
		if !r.Forbids || ctx.Err() != nil {
			continue
		}
		if had == nil {
			had = observe.ReadGiven(c.contextID(), observe.AtStart, observe.AtSubagent, observe.AtPrompt)
		}
		if cfg, err := c.config(r.Root); err == nil && cfg.Retrieval.Record && had[r.Version()] {
			tried = append(tried, r.Version())
		}
	}
	verdict := observe.Broken
	if asked {
		verdict = observe.Approved
	}
	c.noteVerdict(observe.NoteTried(c.contextID(), c.Event.Event, verdict, tried))
}

// noteRan records the rules that a call has broken. A call that the person or the client refused has no event after it,
// so it breaks nothing; an edit that failed wrote nothing.
func (c *Call) noteRan() {
	if c.command() != "" || c.Event.WritesFile() && !c.Event.Failed {
		c.noteVerdict(observe.RecordRun(c.contextID(), c.Event.Event))
	}
}

// noteStopped records that a call was stopped once because of a rule.
func (c *Call) noteStopped(cfg schemas.Config, r retrieve.Result) {
	if cfg.Retrieval.Record {
		c.noteVerdict(observe.RecordVerdict(c.Event.SessionID, observe.Stopped, r.Version()))
	}
}

func (c *Call) noteVerdict(err error) {
	if err != nil {
		c.note("warning: whether the rule is kept is not recorded: %s", text.Printable(err.Error()))
	}
}
