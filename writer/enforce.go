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
	// OnlyHere lists the sentences of a session summary that no other active memory
	// has.
	OnlyHere []string `json:"only_here,omitempty"`
}

// Enforce retires the memories of some categories, of all if there are none, for
// which the configuration leaves no room: retention_days, max_retained,
// max_memories_per_category.
func (w *Writer) Enforce(ctx context.Context, categories []schemas.Category, dryRun bool) (Enforcement, error) {
	due, err := overIn(ctx, w, categories, func(ix *indexer.Index, category schemas.Category) ([]Enforced, error) {
		return w.overLimit(ctx, ix, category, "")
	})
	if err != nil {
		return Enforcement{DryRun: dryRun, Retired: []Enforced{}, Skipped: []Skipped{}}, err
	}
	return w.retireDue(ctx, due, dryRun)
}

// CountOver returns for how many memories the configuration leaves no room.
func (w *Writer) CountOver(ctx context.Context) (int, error) {
	over, err := overIn(ctx, w, nil, func(ix *indexer.Index, category schemas.Category) ([]retrieve.OverLimit, error) {
		limit, _ := w.limit(category, "")
		over, _, err := retrieve.Over(ctx, ix.DB, limit, retrieve.Every)
		return over, err
	})
	return len(over), err
}

// overIn lists what is over the limits of some categories, of all if there are none.
func overIn[T any](ctx context.Context, w *Writer, categories []schemas.Category,
	over func(*indexer.Index, schemas.Category) ([]T, error),
) (list []T, err error) {
	err = indexer.Use(ctx, w.Root, indexer.Full, func(ix *indexer.Index) error {
		list = nil
		for _, info := range schemas.Categories {
			if len(categories) > 0 && !slices.Contains(categories, info.Category) {
				continue
			}
			exceeding, err := over(ix, info.Category)
			if err != nil {
				return err
			}
			list = append(list, exceeding...)
		}
		return nil
	})
	return list, err
}

// retireDue retires the memories that a limit leaves no room for.
func (w *Writer) retireDue(ctx context.Context, due []Enforced, dryRun bool) (e Enforcement, err error) {
	e = Enforcement{DryRun: dryRun, Retired: []Enforced{}, Skipped: []Skipped{}}
	paths := make([]string, len(due))
	for i, memory := range due {
		paths[i] = memory.Path
	}
	e.Skipped, err = w.each(ctx, paths, func(i int) error {
		if !dryRun {
			moved, err := w.Move(ctx, Retire, paths[i], due[i].Reason)
			if err != nil || moved.Status != Retire.status {
				return err
			}
		}
		e.Retired = append(e.Retired, due[i])
		return nil
	})
	return e, err
}

const totalSetting = "max_memories_per_category"

// limit returns the limit of a category, and the setting that its Max comes from.
// created is the path of a memory that was just created, "" for none: it stays, and age
// does not count.
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

// overLimit lists what a category's limits leave no room for. After a create, only one
// memory makes room for max_memories_per_category, so that a first create in a store far
// over that limit does not retire hundreds.
func (w *Writer) overLimit(
	ctx context.Context, ix *indexer.Index, category schemas.Category, created string,
) ([]Enforced, error) {
	limit, setting := w.limit(category, created)
	most := retrieve.Every
	if created != "" && setting == totalSetting {
		most = 1
	}
	over, total, err := retrieve.Over(ctx, ix.DB, limit, most)
	if err != nil {
		return nil, err
	}
	if n := total - len(over); n > 0 {
		w.warn("%d more active %s memories than %s allows; memctl gc --limits --dry-run lists them", n, category,
			totalSetting)
	}
	list := make([]Enforced, len(over))
	for i, m := range over {
		list[i] = Enforced{Path: m.Path, Title: m.Title,
			Reason: fmt.Sprintf("more than %d active (%s)", limit.Max, setting)}
		if m.TooOld {
			days := w.Config.Categories[category].RetentionDays
			list[i].Reason = fmt.Sprintf("not touched for %d days (categories.%s.retention_days)", days, category)
		}
		if category == schemas.SessionSummary {
			if list[i].OnlyHere, err = w.onlyHere(ctx, ix, m.Path); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// settle compares a new memory with the others: it warns if another one has its title,
// enforces the limits of its category, and returns the paths of the memories retired. It
// opens the index once, and does not read every file of a large store.
func (w *Writer) settle(ctx context.Context, p place, title string) []string {
	limit, _ := w.limit(p.category, p.path())
	var same retrieve.Entry
	var due []Enforced
	err := w.use(ctx, func(ix *indexer.Index) (err error) {
		if same, err = retrieve.Titled(ctx, ix.DB, title, p.path()); err != nil || limit.Max == 0 {
			return err
		}
		due, err = w.overLimit(ctx, ix, p.category, p.path())
		return err
	})
	if same.Path != "" {
		w.warnOf("title", "%s has the same one", same.Path)
	}
	if limit.Max == 0 {
		return nil
	}
	var e Enforcement
	if err == nil {
		e, err = w.retireDue(ctx, due, false)
	}
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

// onlyHere lists the sentences of a session summary that no other active memory
// has. It is empty for a file that cannot be read, which Retire will report.
func (w *Writer) onlyHere(ctx context.Context, ix *indexer.Index, path string) ([]string, error) {
	data, err := w.Root.ReadFile(path)
	if err != nil {
		return nil, nil
	}
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		return nil, nil
	}
	doc.SetCategory(schemas.SessionSummary)
	content, _ := doc.Content.(*schemas.SessionContent)
	if content == nil {
		return nil, nil
	}
	return retrieve.OnlyIn(ctx, ix.DB, path, slices.Concat(content.Completed, content.InProgress, content.Blockers,
		content.NextActions, content.KeyChanges))
}
