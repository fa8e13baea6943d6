package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// digest collects the memories of the roots for the start of a session, or of a subagent.
type digest struct {
	cfg    schemas.Config // of the first root, once there is one
	begun  bool           // there is one
	roots  []files.Root   // whose indexes are up to date
	list   []retrieve.Digested
	active int    // memories of the roots
	news   string // for the agent: how many memories the user has not seen
}

// add adds a root of a session. The settings of the first count, also of whether there are others.
func (d *digest) add(root files.Root, cfg schemas.Config, late bool) {
	isFirst := !d.begun
	if isFirst {
		d.cfg, d.begun = cfg, true
	}
	if !late && (isFirst || d.cfg.Retrieval.UserShare > 0) {
		d.roots = append(d.roots, root)
	}
}

// read reads the digest in a number of tokens. What is first comes before all others, by the key of its root.
func (d *digest) read(ctx context.Context, c *Call, tokens int, first map[string][]string) error {
	if len(d.roots) == 0 || tokens == 0 || !d.cfg.Retrieval.Enabled {
		return nil
	}
	return c.store.Ask(ctx, d.roots, func(sources retrieve.Sources) (err error) {
		d.list, d.active, err = StartDigest(ctx, sources, cmp.Or(c.Event.Cwd, "."), tokens, first, d.cfg.Off())
		return err
	})
}

// A memory is new for a week, or until a few sessions have started with it.
const (
	newFor    = 7 * 24 * time.Hour
	newStarts = 3
)

// userPart is the part of the tokens that is kept for the user's memories.
const userPart = 4

// StartDigest returns the digest of the project's memories and the user's in a number of tokens,
// and how many memories these roots have. What is first comes before all others, by the key of
// its root; of notes and of roots that memctl only reads, nothing else comes. Nothing comes of the
// categories that are off, and of folders other than that in which the session is.
func StartDigest(
	ctx context.Context, sources retrieve.Sources, cwd string, tokens int, first map[string][]string,
	off []schemas.Category,
) (list []retrieve.Digested, active int, err error) {
	sources = slices.DeleteFunc(slices.Clone(sources), func(s retrieve.Source) bool {
		return s.Root.ReadOnly() && len(first[s.Root.Key()]) == 0
	})
	for i, s := range sources {
		files := observe.BranchFiles(s.Root)
		record, _ := observe.ReadRecord(s.Root) // without it all is new and nothing was used
		since := time.Now().Add(-newFor)
		q := retrieve.DigestQuery{Tokens: tokens, Used: observe.MostUsed(record), First: first[s.Root.Key()],
			Cwd: cwd, Off: off, Since: since, Familiar: observe.GivenAtStarts(record, since, newStarts),
			Files: append(files, observe.ReadFindings(s.Root).FormerNames(files)...)}
		if i < len(sources)-1 {
			q.Tokens -= q.Tokens / userPart
		}
		digested, err := s.Digest(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		n, err := s.Active(ctx)
		if err != nil {
			return nil, 0, err
		}
		if s.Root.ReadOnly() { // only the first
			digested = slices.DeleteFunc(digested, func(m retrieve.Digested) bool { return m.Tier > 0 })
			n = len(digested)
		}
		if i > 0 {
			standing, err := sources.NotOverridden(ctx, digested)
			if err != nil {
				return nil, 0, err
			}
			n -= len(digested) - len(standing)
			digested = standing
		}
		list, active, tokens = append(list, digested...), active+n, tokens-retrieve.DigestCost(digested)
	}
	return list, active, nil
}

// giveDigest renders the digest, without what the client loads by itself, and notes that the
// session has got it.
func (c *Call) giveDigest(ctx context.Context, d digest, moment string) (block string, injected []retrieve.Result) {
	results := make([]retrieve.Result, len(d.list))
	for i, m := range d.list {
		results[i] = m.Result
	}
	results = c.markNew(c.withoutLoaded(d.cfg, results))
	retrieve.MarkOutdated(results, time.Now())
	remaining := map[files.Version]retrieve.Result{}
	for _, r := range results {
		remaining[r.Version()] = r
	}
	before := len(d.list)
	d.list = slices.DeleteFunc(d.list, func(m retrieve.Digested) bool { _, ok := remaining[m.Version()]; return !ok })
	for i, m := range d.list {
		d.list[i].Result = remaining[m.Version()]
	}
	block, injected = retrieve.DigestBlock(d.list, d.active-before)
	if block != "" {
		c.noteGiven(ctx, moment, injected)
		c.recordInjections(ctx, d.cfg, moment, injected)
	}
	return block, injected
}

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

// maxFitting is how many memories that fit its prompt come before what stands in a subagent's digest.
const maxFitting = 3

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
		q.Limit = min(q.Limit, maxFitting)
		results, err := sources.Fresh(ctx, q)
		list := make([]files.Version, len(results))
		for i, r := range results {
			list[i] = r.Version()
		}
		return errors.Join(err, observe.NoteGiven(c.startID(input.Type), observe.AtSubagent, list))
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
