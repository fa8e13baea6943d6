package hooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// startSession compares every file with the index, so that the prompts of the session
// need not. It speaks only if something needs the person.
func startSession(ctx context.Context, c *Call) (Answer, error) {
	a, err := c.startProject(ctx)
	if err == nil || errors.Is(err, memdir.ErrNoRoot) {
		c.startUser(ctx)
	}
	return a, err
}

func (c *Call) startProject(ctx context.Context) (Answer, error) {
	root, err := c.Root()
	if err != nil {
		return Answer{}, err
	}
	cfg, err := c.config(root)
	if err != nil {
		return Answer{}, err
	}
	started, err := c.bringUpToDate(ctx, root)
	if err != nil {
		return Answer{}, c.warnOf(err)
	}
	a := Answer{Person: started.rebuilt}
	if news := c.introduce(root, started.active); news != "" {
		a.Person, a.Context = joinLines(a.Person, news), news
	}
	if cfg.Review.Announce && started.active > 0 {
		a.Context = joinLines(a.Context, announceReview(root, time.Now()))
	}
	return a, nil
}

// startUser brings the user's root up to date, if there is one and it is not the project's
// too. What is wrong with it is only a warning.
func (c *Call) startUser(ctx context.Context) {
	user, found, err := memdir.UserRoot()
	if err == nil && found && !user.Is(c.root) {
		var warnings []schemas.Warning
		_, warnings, err = user.Config()
		for _, w := range warnings {
			c.warn("%s/%s", user.Shown, w)
		}
		if err == nil {
			_, err = c.bringUpToDate(ctx, user)
		}
	}
	if err != nil {
		c.warn("your own memories cannot be used: %s", text.Printable(err.Error()))
	}
}

// started is what the start of a session finds in a root.
type started struct {
	rebuilt string // what the person is told about the index, if anything
	active  int    // memories
}

// bringUpToDate compares every file of a root with the index, and warns of what is wrong.
func (c *Call) bringUpToDate(ctx context.Context, root memdir.Root) (s started, err error) {
	var inMemory error
	var late bool
	var broken int
	var problems []db.Problem // the first
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		return ix.View(ctx, func(tx *db.Tx) (err error) {
			s.rebuilt, inMemory, late = rebuiltLine(ix), ix.InMemory, ix.Late
			if broken, err = tx.CountProblems(); err != nil {
				return err
			}
			if problems, err = tx.Problems(1); err != nil {
				return err
			}
			counts, err := tx.Counts()
			s.active = counts[schemas.Active]
			return err
		})
	})
	if err != nil {
		return s, err
	}
	c.warnOfIndex(inMemory)
	if late {
		c.warn("the index could not be brought up to date in time; memctl reindex finishes it")
	}
	c.warnOfProblems(root, broken, problems)
	return s, nil
}

// rebuiltLine says that the index was built, or rebuilt and why; "" if it was neither.
func rebuiltLine(ix *indexer.Index) string {
	if ix.Rebuilt == nil || ix.Rebuilt.Files() == 0 {
		return ""
	}
	files := text.Plural(ix.Rebuilt.Files(), "file", "files")
	if errors.Is(ix.Rebuilt.Reason, db.ErrMissing) {
		return fmt.Sprintf("memctl: built its memory index of %s.", files)
	}
	return fmt.Sprintf("memctl: rebuilt its memory index of %s (%s).", files, text.Brief(ix.Rebuilt.Why()))
}

// warnOfIndex warns that the index cannot be written, if there is a reason.
func (c *Call) warnOfIndex(reason error) {
	if reason != nil {
		c.warn("prompts are answered more slowly, because the memory index cannot be written: %v", reason)
	}
}

// introduce announces, once, memories that others wrote.
func (c *Call) introduce(root memdir.Root, memories int) string {
	if memories == 0 {
		return ""
	}
	unknown, err := root.Introduce()
	if err != nil {
		c.warn("cannot remember that this project is known: %s", text.Printable(err.Error()))
	}
	if !unknown {
		return ""
	}
	return fmt.Sprintf("memctl: %s came with this project; memctl list shows them.", text.Plural(memories, "memory", "memories"))
}

// warnOfProblems names the first of n files that are not readable as memories.
func (c *Call) warnOfProblems(root memdir.Root, n int, problems []db.Problem) {
	if len(problems) == 0 {
		return
	}
	first, more := problems[0], ""
	if root.Scope == memdir.UserScope {
		first.Path = root.Shown + "/" + first.Path
	}
	if n > 1 {
		more = fmt.Sprintf(" and %d more", n-1)
	}
	c.warn("%s not readable as a memory: %s (%s)%s. Fix it; memctl validate says more.",
		text.Plural(n, "file is", "files are"), text.Printable(first.Path), text.Printable(first.Reason), more)
}
