package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// Enforcement is the answer of Enforce. Paths are relative to the root.
type Enforcement struct {
	DryRun  bool       `json:"dry_run"`
	Retired []Enforced `json:"retired"`
	Skipped []Skipped  `json:"skipped"`
}

// Enforced is a memory that a limit of its category retired.
type Enforced struct {
	Path   string `json:"path"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
	// OnlyHere is what a session summary says and no other active memory.
	OnlyHere []string `json:"only_here,omitempty"`
}

// Scope is what Enforce looks at.
type Scope struct {
	Categories []schemas.Category // none: every category
	// New is the path of a memory that has just been created, "" for none. It
	// stays, age does not count, and only one memory has to make room for it where
	// max_memories_per_category says so: a first create in a store far over that
	// must not take hundreds out of use.
	New    string
	DryRun bool
}

// Enforce retires the memories for which the configuration leaves no room:
// retention_days, max_retained, max_memories_per_category.
func (w *Writer) Enforce(ctx context.Context, scope Scope) (Enforcement, error) {
	e := Enforcement{DryRun: scope.DryRun, Retired: []Enforced{}, Skipped: []Skipped{}}
	depth := indexer.Full
	if scope.New != "" {
		depth = indexer.Usual // its cost does not grow with the store
	}
	var due []Enforced
	err := indexer.Use(ctx, w.Root, depth, func(ix *indexer.Index) error {
		due = nil
		for _, info := range schemas.Categories {
			if len(scope.Categories) > 0 && !slices.Contains(scope.Categories, info.Category) {
				continue
			}
			list, err := w.beyond(ctx, ix, info.Category, scope)
			if err != nil {
				return err
			}
			due = append(due, list...)
		}
		return nil
	})
	if err != nil {
		return e, err
	}
	return e, w.together(ctx, func() error {
		for _, memory := range due {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !scope.DryRun {
				done, err := w.Retire(ctx, memory.Path, memory.Reason)
				if err != nil {
					e.Skipped = append(e.Skipped, Skipped{memory.Path, reasonOf(err)})
				}
				if done.Status != retire.done {
					continue
				}
			}
			e.Retired = append(e.Retired, memory)
		}
		return nil
	})
}

const totalSetting = "max_memories_per_category"

// limit is what the configuration says of a category, and the setting that sets
// the number of memories.
func (w *Writer) limit(category schemas.Category, created string) (limit retrieve.Limit, setting string) {
	c := w.Config.Categories[category]
	limit = retrieve.Limit{Category: category, Keep: created, Max: w.Config.MaxMemoriesPerCategory}
	setting = totalSetting
	if c.MaxRetained > 0 && (limit.Max == 0 || c.MaxRetained <= limit.Max) {
		limit.Max, setting = c.MaxRetained, fmt.Sprintf("categories.%s.max_retained", category)
	}
	if c.RetentionDays > 0 && created == "" {
		limit.Since = w.Now().Add(-time.Duration(c.RetentionDays) * 24 * time.Hour)
	}
	return limit, setting
}

// beyond lists what a category's limits leave no room for.
func (w *Writer) beyond(ctx context.Context, ix *indexer.Index, category schemas.Category, scope Scope) ([]Enforced, error) {
	limit, setting := w.limit(category, scope.New)
	surplus, err := retrieve.Over(ctx, ix.DB, limit)
	if err != nil {
		return nil, err
	}
	if scope.New != "" && setting == totalSetting {
		surplus = w.oneForOne(category, surplus)
	}
	list := make([]Enforced, len(surplus))
	for i, s := range surplus {
		list[i] = Enforced{Path: s.Path, Title: s.Title, Reason: fmt.Sprintf("more than %d active (%s)", limit.Max, setting)}
		if s.TooOld {
			list[i].Reason = fmt.Sprintf("not touched for %d days (categories.%s.retention_days)", w.Config.Categories[category].RetentionDays, category)
		}
		if category == schemas.SessionSummary {
			if list[i].OnlyHere, err = w.onlyHere(ctx, ix, s.Path); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// oneForOne leaves out all but the first of those that are only too many.
func (w *Writer) oneForOne(category schemas.Category, surplus []retrieve.OverLimit) []retrieve.OverLimit {
	kept := 0
	surplus = slices.DeleteFunc(surplus, func(s retrieve.OverLimit) bool {
		if !s.TooOld {
			kept++
		}
		return !s.TooOld && kept > 1
	})
	if kept > 1 {
		w.warn("%d more active %s memories than %s allows; memctl enforce --dry-run lists them", kept-1, category, totalSetting)
	}
	return surplus
}

// makeRoom enforces the limits of a category after a new memory came and returns
// the paths of those retired.
func (w *Writer) makeRoom(ctx context.Context, p place) []string {
	e, err := w.Enforce(ctx, Scope{Categories: []schemas.Category{p.category}, New: p.path()})
	if err != nil {
		w.warn("the memory is saved, but the limits of its category could not be enforced: %v", err)
	}
	var retired []string
	for _, r := range e.Retired {
		retired = append(retired, r.Path)
		w.warn("retired %s: %s", r.Path, r.Reason)
		if len(r.OnlyHere) > 0 {
			w.warn("%s held what no other active memory has: %s", r.Path, strings.Join(r.OnlyHere, "; "))
		}
	}
	return retired
}

// sessionLists are the lists of a session summary whose loss somebody may regret.
var sessionLists = []string{"completed", "in_progress", "blockers", "next_actions", "key_changes"}

// onlyHere lists what a session summary says and no other active memory. A file
// that cannot be read says nothing: retiring it will tell why.
func (w *Writer) onlyHere(ctx context.Context, ix *indexer.Index, path string) ([]string, error) {
	data, err := w.Root.ReadFile(path)
	if err != nil {
		return nil, nil
	}
	doc, err := schemas.DecodeDocument(data)
	if err != nil {
		return nil, nil
	}
	content, _ := doc["content"].(map[string]any)
	var sentences []string
	for _, name := range sessionLists {
		sentences = append(sentences, strs(content[name])...)
	}
	return retrieve.OnlyIn(ctx, ix.DB, path, sentences)
}
