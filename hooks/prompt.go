package hooks

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/triage"

	"github.com/clipperhouse/displaywidth"
)

const (
	errNoMatch     = Silence("no memory matches the prompt")
	errOwnQuestion = Silence("the prompt is memctl's own question")
	errHad         = Silence("the session already has the memories that match")
	errLoaded      = Silence("every match repeats a file the client already loads")
	errNotRelevant = Silence("no memory is relevant enough to the prompt")
)

// answerPrompt gives the memories that matter for a prompt, and a reminder to save what it may lay down.
func answerPrompt(ctx context.Context, c *Call) (Answer, error) {
	prompt := strings.TrimSpace(c.Event.Prompt)
	if prompt == "" {
		return Answer{}, errors.New("the event has no prompt")
	}
	if triage.IsAsk(prompt) {
		return Answer{}, errOwnQuestion
	}
	c.noteTurn()
	a, err := c.memoriesFor(ctx, prompt)
	if err != nil && !errors.As(err, new(Silence)) || !c.wantsSaving(prompt) {
		return a, err
	}
	a.Context = joinLines(strings.TrimSuffix(a.Context, "\n"), saveLine)
	return a, nil
}

// saveLine reminds a working agent to save.
const saveLine = "memctl: if a later session would go wrong without these words of the user, save them before this " +
	"turn ends."

// wantsSaving reports whether a prompt may hold what a later session must know: it has a sign of it, answers the
// agent's question or follows an interruption.
func (c *Call) wantsSaving(prompt string) bool {
	root, err := c.Root()
	if err != nil {
		return false
	}
	cfg, err := c.config(root)
	if err != nil || !cfg.Triage.Hints() || !triage.AsksForMore(cfg) {
		return false
	}
	if triage.HasSign(prompt) {
		return true
	}
	file, size, err := c.openTranscript()
	if err != nil {
		return false
	}
	defer file.Close()
	return triage.Awaits(triage.TranscriptFile{In: file, Size: size, Messages: c.client.Messages}, prompt)
}

// memoriesFor gives the memories that matter for a prompt.
func (c *Call) memoriesFor(ctx context.Context, prompt string) (Answer, error) {
	roots, cfg, q, err := c.askedWith(prompt)
	if err != nil {
		if last := c.whereWeStopped(ctx); last != "" && errors.As(err, new(Silence)) {
			return Answer{Context: last}, nil
		}
		return Answer{}, err
	}
	c.endStep("ask")
	block, results, reason, err := c.memoryBlock(ctx, roots, cfg, q)
	c.endStep("render")
	if err == nil && block == "" {
		if last := c.whereWeStopped(ctx); last != "" {
			return Answer{Context: last}, nil
		}
	}
	switch {
	case err != nil:
		return Answer{}, c.warnOf(err)
	case block != "":
		if cfg.Retrieval.GivesOnce() {
			c.noteGiven(ctx, observe.AtPrompt, results)
		}
		c.recordInjections(ctx, cfg, observe.AtPrompt, results)
		if q.Strategy == schemas.Hybrid && cfg.Retrieval.Disclosure != "smart" {
			return Answer{Context: block}, nil // the person is told what the agent opens
		}
		return Answer{Context: block, Person: announcement(cfg, "", results)}, nil
	case reason != "":
		return Answer{}, reason
	case q.Chance > 0 && cfg.Retrieval.Disclosure != "smart":
		return Answer{}, errNotRelevant
	}
	return Answer{}, errNoMatch
}

// askedWith returns the question that a prompt is, and the roots that it is asked of; the
// settings of the first count.
func (c *Call) askedWith(prompt string) (roots []files.Root, cfg schemas.Config, q retrieve.Query, err error) {
	if reason := retrieve.Unsearched(prompt); reason != "" { // in a project without memories too
		return nil, cfg, q, Silence(reason)
	}
	if roots, err = c.store.Roots(); err != nil {
		return nil, cfg, q, err
	}
	if cfg, err = c.config(roots[0]); err != nil {
		return nil, cfg, q, err
	}
	roots = store.ForPrompt(roots, cfg)
	searcher := c.store.SearcherWith(roots[0], cfg)
	q = searcher.Prompt(prompt)
	if reason := searcher.Silence(prompt, q); reason != "" {
		return nil, cfg, q, Silence(reason)
	}
	if q.Meaning != nil {
		runtime.GOMAXPROCS(2) // on one, the request would wait until the index is read
		q.Meaning.Start()
	}
	return roots, cfg, q, nil
}

// maxReplaced is how many memories that the client loads are replaced by the next best.
const maxReplaced = 20

// memoryBlock renders the memories that a query finds, "" for none, and returns those
// that are in the block. It leaves out those that the session has had or that the client
// loads; reason says so if there are some.
func (c *Call) memoryBlock(
	ctx context.Context, roots []files.Root, cfg schemas.Config, q retrieve.Query,
) (block string, injected []retrieve.Result, reason Silence, err error) {
	err = c.store.Ask(ctx, roots, func(sources retrieve.Sources) error {
		c.endStep("open")
		var results []retrieve.Result
		for limit := q.Limit; ; {
			results, err = sources.Fresh(ctx, q)
			if err != nil || len(results) == 0 {
				return err
			}
			before := len(results)
			if cfg.Retrieval.GivesOnce() {
				results = c.withoutGiven(results)
			}
			if len(results) < before {
				reason = errHad
			}
			others := len(results)
			results = c.withoutLoaded(cfg, results)
			loaded := others - len(results)
			if loaded > 0 {
				reason = errLoaded
			}
			if before < q.Limit || limit+loaded <= q.Limit || loaded > maxReplaced {
				break
			}
			q.Limit = limit + loaded // the next best replaces those that the client loads
		}
		c.endStep("rank")
		results = c.markNew(results)
		c.endStep("judge")
		if cfg.Retrieval.Disclosure == "smart" && len(results) > 0 && !anyNew(results) {
			block, injected, err = sources.SmartBlock(ctx, q, results)
			return err
		}
		if q.Strategy == schemas.Hybrid {
			retrieve.MarkOutdated(results, time.Now())
			block, injected, err = sources.Titles(ctx, results)
			return err
		}
		block, injected = retrieve.Block(q, results, cfg.Descriptions)
		return nil
	})
	return block, injected, reason, err
}

// maxAnnouncement is how many columns the announcement takes. With the client's words
// before it, it is one line on a terminal of 120 columns.
const maxAnnouncement = 90

// announcement names the injected memories to the person in a line.
func announcement(cfg schemas.Config, moment string, results []retrieve.Result) string {
	if !cfg.Retrieval.Announce || len(results) == 0 {
		return ""
	}
	titles := make([]string, len(results))
	for i, r := range results {
		titles[i] = text.OneLine(r.Title, text.MaxShown)
	}
	return announced(moment+text.Plural(len(results), "memory", "memories"), titles)
}

// announced is the line for some things that the agent received.
func announced(things string, titles []string) string {
	return displaywidth.TruncateString(fmt.Sprintf("memctl: %s: %s", things, strings.Join(titles, "; ")),
		maxAnnouncement, "…")
}

// recordInjections notes which memories of each root were given at a moment.
func (c *Call) recordInjections(ctx context.Context, cfg schemas.Config, moment string, results []retrieve.Result) {
	if !cfg.Retrieval.Record || ctx.Err() != nil {
		return
	}
	var list []observe.Injection
	for _, r := range results {
		if !observe.HasPlainID(r.Path) {
			continue
		}
		root := r.Root.Key()
		i := slices.IndexFunc(list, func(in observe.Injection) bool { return in.Root == root })
		if i < 0 {
			i = len(list)
			list = append(list, observe.Injection{Time: time.Now().UTC().Truncate(time.Second), Root: root,
				Moment:  moment,
				Session: observe.SessionKey(c.Event.SessionID)})
		}
		list[i].Memories = append(list[i].Memories, r.Path)
	}
	for _, in := range list {
		if err := in.Append(); err != nil {
			c.note("warning: which memories the prompt received is not recorded: %s", text.Printable(err.Error()))
			return
		}
	}
}
