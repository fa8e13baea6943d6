package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/store"
)

// subagentPart is the part of retrieval.start_tokens that a subagent gets.
const subagentPart = 3

// startSubagent gives a subagent a short digest: the memories that fit its prompt, then what
// stands, as far as the tokens go.
func startSubagent(ctx context.Context, c *Call) (Answer, error) {
	roots, err := c.store.Roots()
	if err != nil {
		return Answer{}, err
	}
	cfg, err := c.config(roots[0])
	if err != nil || !cfg.Moments.Subagents {
		return Answer{}, err
	}
	d := digest{cfg: cfg, roots: store.ForPrompt(roots, cfg)}
	if err := d.read(ctx, c, cfg.Retrieval.StartTokens/subagentPart, c.fitting()); err != nil {
		return Answer{}, c.warnOf(err)
	}
	block, _ := c.giveDigest(ctx, d, observe.AtSubagent)
	return Answer{Context: block}, nil
}

// noteFitting notes which memories fit the prompt of a subagent that is about to start: the
// event of its start has no prompt.
func (c *Call) noteFitting(ctx context.Context) error {
	var input struct {
		Prompt string
		Type   string `json:"subagent_type"`
	}
	if json.Unmarshal(c.Event.Input, &input) != nil || input.Prompt == "" {
		return nil
	}
	roots, cfg, q, err := c.askedWith(input.Prompt)
	if err != nil || !cfg.Moments.Subagents {
		return err
	}
	return c.store.Ask(ctx, roots, func(sources retrieve.Sources) error {
		results, err := sources.Fresh(ctx, q)
		list := make([]memdir.Version, len(results))
		for i, r := range results {
			list[i] = r.Given()
		}
		return errors.Join(err, observe.NoteGiven(c.startID(input.Type), list))
	})
}

// fitting returns the paths of the memories that noteFitting noted, by the key of their root.
func (c *Call) fitting() map[string][]string {
	paths := map[string][]string{}
	for v := range observe.ReadGiven(c.startID(c.Event.AgentType)) {
		paths[v.Root] = append(paths[v.Root], v.Path)
	}
	for _, list := range paths {
		slices.Sort(list)
	}
	return paths
}

// startID names the subagents of a type that one turn starts. Nothing says which use of the
// tool starts which of them, so each gets what fits any of their prompts.
func (c *Call) startID(agentType string) string {
	return c.Event.SessionID + "-" + c.Event.PromptID + "-" + cmp.Or(agentType, "general-purpose")
}
