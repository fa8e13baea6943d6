package hooks

import (
	"context"
	"slices"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// withoutGiven leaves out the results that the session has got already.
func (c *Call) withoutGiven(cfg schemas.Config, results []retrieve.Result) []retrieve.Result {
	if !cfg.Retrieval.GivesOnce() {
		return results
	}
	had := observe.ReadGiven(c.Event.SessionID)
	return slices.DeleteFunc(results, func(r retrieve.Result) bool { return had[r.Given()] })
}

// noteGiven notes what the session gets.
func (c *Call) noteGiven(ctx context.Context, cfg schemas.Config, given []retrieve.Result) {
	if !cfg.Retrieval.GivesOnce() || ctx.Err() != nil {
		return
	}
	list := make([]memdir.Version, len(given))
	for i, r := range given {
		list[i] = r.Given()
	}
	if err := observe.NoteGiven(c.Event.SessionID, list); err != nil {
		c.note("warning: the session may get a memory twice: %s", text.Printable(err.Error()))
	}
}
