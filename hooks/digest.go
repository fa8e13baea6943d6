package hooks

import (
	"context"
	"slices"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// digest is what a session's start gives of the roots: the project's first, the user's with
// the tokens that are left, which are a part of them at least.
type digest struct {
	list   []retrieve.Digested
	active int // memories of the roots
	tokens int // that are left
	asked  bool
	cfg    schemas.Config
	others bool // whether other roots than the first take part
}

// userPart is the part of the tokens that is kept for the user's memories.
const userPart = 4

// query asks for the digest of a root. The settings of the first root count.
func (d *digest) query(c *Call, root memdir.Root, cfg schemas.Config) retrieve.DigestQuery {
	first := !d.asked
	if first {
		d.asked, d.cfg, d.tokens, d.others = true, cfg, cfg.Retrieval.StartTokens, cfg.Retrieval.UserShare > 0
		if c.Event.Source == "resume" || !cfg.Retrieval.Enabled {
			d.tokens = 0
		}
	}
	q := DigestOf(root, d.tokens)
	if user, found, err := memdir.UserRoot(); first && err == nil && found && !user.Is(root) && d.others {
		q.Tokens -= q.Tokens / userPart
	}
	if !first && !d.others {
		q.Tokens = 0
	}
	return q
}

// DigestOf asks for the digest of a root in a number of tokens.
func DigestOf(root memdir.Root, tokens int) retrieve.DigestQuery {
	q := retrieve.DigestQuery{Tokens: tokens}
	if tokens > 0 {
		q.Files, q.Used = observe.BranchFiles(root), observe.LastUsed(root)
		q.Files = append(q.Files, observe.ReadFindings(root).FormerNames(q.Files)...)
	}
	return q
}

// StartDigest returns the digest of the project's memories and the user's in a number of tokens,
// and how many memories these roots have. What is first comes before all others, by the key of
// its root; of notes and of roots that memctl only reads, nothing else comes.
func StartDigest(
	ctx context.Context, sources retrieve.Sources, tokens int, first map[string][]string,
) (list []retrieve.Digested, active int, err error) {
	sources = slices.DeleteFunc(slices.Clone(sources), func(s retrieve.Source) bool {
		return s.Root.ReadOnly() && len(first[s.Root.Key()]) == 0
	})
	for i, s := range sources {
		q := DigestOf(s.Root, tokens)
		if q.First = first[s.Root.Key()]; i < len(sources)-1 {
			q.Tokens -= q.Tokens / userPart
		}
		found, err := s.Digest(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		n, err := s.Active(ctx)
		if err != nil {
			return nil, 0, err
		}
		if s.Root.ReadOnly() { // only what comes first
			found = slices.DeleteFunc(found, func(m retrieve.Digested) bool { return m.Tier > 0 })
			n = len(found)
		}
		if i > 0 {
			kept, err := sources.Standing(ctx, found)
			if err != nil {
				return nil, 0, err
			}
			n -= len(found) - len(kept)
			found = kept
		}
		list, active, tokens = append(list, found...), active+n, tokens-retrieve.DigestCost(found)
	}
	return list, active, nil
}

func (d *digest) add(found store.State) {
	if found.Late || d.tokens == 0 {
		return
	}
	d.active += found.Active
	d.tokens -= retrieve.DigestCost(found.Digest)
	d.list = append(d.list, found.Digest...)
}

// leaveOverridden leaves the user's memories out for which one of the project stands.
func (c *Call) leaveOverridden(ctx context.Context, user memdir.Root, found *store.State) error {
	if len(found.Digest) == 0 || c.root.Path == "" {
		return nil
	}
	return c.store.Ask(ctx, []memdir.Root{c.root, user}, func(sources retrieve.Sources) error {
		kept, err := sources.Standing(ctx, found.Digest)
		found.Active -= len(found.Digest) - len(kept)
		found.Digest = kept
		return err
	})
}

// giveDigest renders the digest, without what the client loads by itself, and notes that the
// session has got it.
func (c *Call) giveDigest(ctx context.Context, d digest, moment string) (block string, given []retrieve.Result) {
	results := make([]retrieve.Result, len(d.list))
	for i, m := range d.list {
		results[i] = m.Result
	}
	results = c.withoutLoaded(d.cfg, results)
	retrieve.MarkOutdated(results, time.Now())
	kept := map[memdir.Version]retrieve.Result{}
	for _, r := range results {
		kept[r.Given()] = r
	}
	found := len(d.list)
	d.list = slices.DeleteFunc(d.list, func(m retrieve.Digested) bool { _, ok := kept[m.Given()]; return !ok })
	for i, m := range d.list {
		d.list[i].Result = kept[m.Given()]
	}
	block, given = retrieve.DigestBlock(d.list, d.active-found)
	if block != "" {
		c.noteGiven(ctx, given)
		c.recordInjections(ctx, d.cfg, moment, given)
	}
	return block, given
}
