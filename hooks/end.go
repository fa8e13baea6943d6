package hooks

import (
	"context"
	"errors"
	"slices"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// answerStop asks the agent before it stops: to compare its change with the rules that it has not had lately, and for
// memories.
func answerStop(ctx context.Context, c *Call) (Answer, error) {
	rules := c.rulesOfTurn(ctx)
	answer, err := askBeforeStop(ctx, c)
	if rules.Ask == "" {
		return answer, err
	}
	if err != nil {
		if answer = (Answer{}); !errors.As(err, new(Silence)) {
			c.note("%s", text.Printable(err.Error()))
		}
	}
	answer.Ask, answer.Person = rules.Ask+answer.Ask, joinLines(rules.Person, answer.Person)
	return answer, nil
}

// maxAtEnd is how many rules an agent is asked about at the end of a turn.
const maxAtEnd = 5

// rulesOfTurn asks the agent to compare its change with the standing rules about the files that it changed in this
// turn, once a turn. Mostly there is none left, because a read and an edit give them: there are a file's third rule,
// files that a command or a subagent wrote, and rules of long ago. It opens no index.
func (c *Call) rulesOfTurn(ctx context.Context) Answer {
	e := &c.Event
	if c.rootErr != nil || e.StopHookActive || e.AgentID != "" {
		return Answer{}
	}
	changed := observe.TurnChanges(c.root, e.SessionID, e.PromptID, time.Now())
	if len(changed) == 0 {
		return Answer{}
	}
	cfg, err := c.config(c.root)
	if err != nil || !cfg.Moments.End {
		return Answer{}
	}
	// A file beside a changed one is no part of the change.
	list := c.markNew(c.inUse(retrieve.About(c.root, retrieve.Action{Files: changed, Reads: true})))
	list = slices.DeleteFunc(list, func(r retrieve.Result) bool { return !r.Stands || r.NewBy != "" })
	list = c.withoutLoaded(cfg, c.withoutLately(cfg, list))
	list = list[:min(len(list), maxAtEnd)]
	retrieve.MarkOutdated(list, time.Now())
	q := retrieve.Query{Strategy: schemas.Hybrid, MaxTokens: cfg.Retrieval.MaxTokens}
	block, list := retrieve.Block(q, list, nil)
	if block == "" || ctx.Err() != nil {
		return Answer{}
	}
	stage := observe.OpenStage(c.root, e.SessionID)
	defer stage.Close()
	versions, titles := make([]files.Version, len(list)), make([]string, len(list))
	for i, r := range list {
		versions[i], titles[i] = r.Version(), text.OneLine(r.Title, text.MaxShown)
	}
	// Without either note, a client that does not say that the agent was asked could be asked for ever.
	if !stage.MarkCompared(e.PromptID) || observe.NoteGiven(c.contextID(), observe.AtTool, versions) != nil {
		return Answer{}
	}
	c.recordInjections(ctx, cfg, observe.AtTool, list)
	return Answer{
		Ask: triage.CompareStart + " Correct it where it breaks one; if it keeps them, just stop.\n" + block,
		Person: announced("asking the agent to compare its change with "+
			text.Plural(len(list), "rule", "rules"), titles),
	}
}
