package hooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

// startSession compares every file with the index, so that the prompts of the session
// need not, and gives the agent the digest of the memories, unless it has it: a session
// that is resumed has its context.
func startSession(ctx context.Context, c *Call) (Answer, error) {
	isNew := c.Event.Source != "resume" // or cleared, or compacted
	if isNew {
		observe.ForgetGiven(c.Event.SessionID, time.Now())
	}
	var d digest
	a, err := c.startProject(ctx, &d)
	if err == nil || errors.Is(err, files.ErrNoRoot) {
		a.Person = joinLines(a.Person, c.startUser(ctx, &d))
	}
	if isNew {
		if err := d.read(ctx, c, d.cfg.Retrieval.StartTokens, nil); err != nil {
			return Answer{}, c.warnOf(err)
		}
	}
	if err == nil || len(d.list) > 0 {
		block, results := c.giveDigest(ctx, d, observe.AtStart)
		if !anyNew(results) { // else the block says it
			a.Context = joinLines(d.news, a.Context)
		}
		a.Context, err = block+a.Context, nil
		a.Person = joinLines(a.Person, announcement(d.cfg, "the session starts with ", results))
	}
	return a, err
}

func (c *Call) startProject(ctx context.Context, d *digest) (Answer, error) {
	root, err := c.Root()
	if err != nil {
		return Answer{}, err
	}
	cfg, err := c.config(root)
	if err != nil {
		return Answer{}, err
	}
	met := meet(ctx, root)
	state, err := c.bringUpToDate(ctx, root)
	if err != nil {
		return Answer{}, c.warnOf(err)
	}
	d.add(root, cfg, state.Late)
	a := Answer{Person: joinLines(rebuiltLine(state.Rebuilt), c.announceProposals(root, cfg))}
	if !state.Late {
		var person string
		person, d.news = c.announceNew(ctx, root, met)
		a.Person = joinLines(a.Person, person)
	}
	// a resumed session has it
	if c.Event.Source != "resume" && cfg.Retrieval.Enabled && cfg.Retrieval.StartTokens > 0 {
		a.Context = joinLines(a.Context, c.announceLast(ctx, root, cfg))
	}
	if cfg.Review.Announce && state.Active > 0 {
		a.Context = joinLines(a.Context, joinLines(announceReview(root, time.Now()), announceSources(root)))
	}
	if cfg.Triage.Hints() && c.Event.Source != "resume" { // a resumed session has it
		a.Context = joinLines(a.Context, c.hint(root, cfg))
	}
	if cfg.Triage.Enabled && cfg.Triage.Strategy == schemas.Moments && c.Event.Source == "startup" {
		a.Context = joinLines(a.Context, c.announceWaiting(root))
	}
	return c.fixesAtStart(ctx, root, cfg, a), nil
}

// announceProposals returns a line for the person about the proposals that wait in a root, once a session.
func (c *Call) announceProposals(root files.Root, cfg schemas.Config) string {
	isNew := c.Event.Source != "resume" && c.Event.Source != "compact"
	if !cfg.Capture.Review || c.proposalsWait == nil || !isNew {
		return ""
	}
	return c.proposalsWait(root)
}

// startUser brings the user's root up to date, if there is one and it is not the project's
// too. Its faults are only warnings. It returns the line about proposals there.
func (c *Call) startUser(ctx context.Context, d *digest) (waits string) {
	user, found, err := files.UserRoot()
	if err == nil && found && !user.Is(c.root) {
		cfg, warnings, configErr := user.Config()
		for _, w := range warnings {
			c.warn("%s/%s", user.Shown, w)
		}
		if err = configErr; err == nil {
			var state store.State
			if state, err = c.bringUpToDate(ctx, user); err == nil {
				d.add(user, cfg, state.Late)
			}
			waits = c.announceProposals(user, cfg)
		}
	}
	if err != nil {
		c.warn("your own memories cannot be used: %s", text.Printable(err.Error()))
	}
	return waits
}

// A start that read more than largeBuild files to build an index has no time for other work.
const largeBuild = 5000

// bringUpToDate compares every file of a root with the index, and warns of faults.
func (c *Call) bringUpToDate(ctx context.Context, root files.Root) (store.State, error) {
	state, err := c.store.Refresh(ctx, root)
	if err != nil {
		return state, err
	}
	c.warnOfIndex(state.InMemory)
	c.late = c.late || state.Late || state.Rebuilt != nil && state.Rebuilt.Files() > largeBuild
	switch {
	case state.Unfinished > 0:
		c.warn("%s indexed so far; the next session start continues, or run memctl reindex to build the index now",
			text.Plural(state.Unfinished, "memory", "memories"))
	case state.Late:
		c.warn("the index was not updated in time; run memctl reindex")
	}
	if len(state.Problems) > 0 {
		c.warn("%s. Run memctl validate for details.", retrieve.NotReadable(root, state.Broken, state.Problems[0]))
	}
	return state, nil
}

// rebuiltLine says that the index was built, or rebuilt and why; "" if it was neither.
func rebuiltLine(rebuilt *store.Summary) string {
	if rebuilt == nil || rebuilt.Files() == 0 {
		return ""
	}
	files := text.Plural(rebuilt.Files(), "file", "files")
	if rebuilt.First() {
		return fmt.Sprintf("memctl: built its memory index of %s.", files)
	}
	return fmt.Sprintf("memctl: rebuilt its memory index of %s (%s).", files, text.Brief(rebuilt.Why()))
}

// warnOfIndex warns that the index cannot be written, if there is a reason.
func (c *Call) warnOfIndex(reason error) {
	if reason != nil {
		c.warn("prompts are slower because the memory index is not writable: %v", reason)
	}
}

const (
	// announcedPrefix marks a root whose review was announced in the last day.
	announcedPrefix = "reviewed-"
	// announceEvery is how often the findings are announced at most.
	announceEvery = 24 * time.Hour
	// manyFindings is how many findings are not announced.
	manyFindings = 5
)

// manySources is how many files a session's start looks at for announceSources.
const manySources = 20

// announceSources returns a line for the agent if files that memories were imported from are gone
// or have another size.
func announceSources(root files.Root) string {
	changed, missing, err := root.MovedSources(manySources)
	sources := append(changed, missing...)
	if err != nil || len(sources) == 0 {
		return ""
	}
	name := sources[0].String()
	happened, them := "changed", "it"
	if len(sources) > 1 {
		them = "them"
	}
	switch {
	case len(changed) > 0 && len(missing) > 0:
		happened = "changed or are gone"
	case len(missing) > 1:
		happened = "are gone"
	case len(missing) == 1:
		happened = "is gone"
	}
	return fmt.Sprintf(`memctl: %s%s %s since memories were imported from %s; run "memctl import --update".`,
		text.Printable(name), text.AndMore(len(sources)-1), happened, them)
}

// announceReview returns a line for the agent if the last review found much, once a day.
func announceReview(root files.Root, now time.Time) string {
	last, err := observe.LastReview(root)
	if err != nil || last.Findings <= manyFindings {
		return ""
	}
	state, err := files.OpenState()
	if err != nil {
		return ""
	}
	defer state.Close()
	mark := announcedPrefix + root.Key()
	state.Sweep(announcedPrefix, now.Add(-announceEvery))
	if !state.Mark(mark) {
		return ""
	}
	return fmt.Sprintf(`memctl: the last review found %d signs of outdated memories; `+
		`run "memctl review" to list them with reasons and commands.`, last.Findings)
}
