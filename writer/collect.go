package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// Collection is the answer of Collect. Paths are relative to the root.
type Collection struct {
	DryRun   bool      `json:"dry_run"`
	Archived []string  `json:"archived"`
	Deleted  []string  `json:"deleted"`
	Skipped  []Skipped `json:"skipped"`
	// Kept is how many retired memories can still be restored.
	Kept int `json:"kept"`
}

// Skipped is a memory that Collect left as it was, though perhaps it was due.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// collect is what becomes of a retired memory where retired ones are kept.
var collect = move{code: ArchiveError, to: schemas.Archived, done: "archived", word: "Archived: "}

// Collect archives the memories that have been retired for longer than the grace
// period, or deletes them, as delete.archive_retired says. The index tells where
// retired memories are, their files whether they are due.
func (w *Writer) Collect(ctx context.Context, dryRun bool) (Collection, error) {
	c := Collection{DryRun: dryRun, Archived: []string{}, Deleted: []string{}, Skipped: []Skipped{}}
	var items []retrieve.Item
	err := indexer.Use(ctx, w.Root, indexer.Full, func(ix *indexer.Index) (err error) {
		items, err = retrieve.List(ctx, ix.DB, retrieve.Filter{Statuses: []schemas.Status{schemas.Retired}, Sort: "path"})
		return err
	})
	if err != nil {
		return c, err
	}
	return c, w.together(ctx, func() error {
		for _, item := range items {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := w.collect(ctx, &c, item.Path); err != nil {
				c.Skipped = append(c.Skipped, Skipped{item.Path, reasonOf(err)})
			}
		}
		return nil
	})
}

// reasonOf puts a refusal on one line.
func reasonOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		for _, d := range e.Details {
			if d.Key == "error" {
				return d.Value
			}
		}
	}
	return err.Error()
}

func (w *Writer) collect(ctx context.Context, c *Collection, path string) error {
	return w.lockedMemory(ctx, path, collect.code, func(m *memory) (paths []string, err error) {
		doc, err := m.document()
		if err != nil {
			return nil, err
		}
		if statusOf(doc) != string(schemas.Retired) {
			return nil, nil // restored meanwhile
		}
		stamp, _ := doc["retired_at"].(string)
		retired, ok := schemas.ParseTime(stamp)
		if !ok {
			return nil, fmt.Errorf("retired_at %q is no date, so its grace period has no end", stamp)
		}
		age := w.Now().Sub(retired)
		if age < w.grace() {
			c.Kept++
			return nil, nil
		}
		list := &c.Deleted
		if w.Config.Delete.ArchiveRetired {
			list = &c.Archived
		}
		if !c.DryRun {
			paths, err = w.dispose(m, doc, age)
		}
		if err == nil {
			*list = append(*list, m.path())
		}
		return paths, err
	})
}

// dispose archives or deletes a memory that is due.
func (w *Writer) dispose(m *memory, doc schemas.Document, age time.Duration) ([]string, error) {
	if w.Config.Delete.ArchiveRetired {
		reason := fmt.Sprintf("%d days after it was retired: %v", int(age.Hours()/24), cmp.Or(doc["retired_reason"], any(noReason)))
		return w.moved(m, collect, doc, cut(reason))
	}
	return []string{m.path()}, m.folder.Remove(m.file())
}

func (w *Writer) grace() time.Duration {
	return time.Duration(w.Config.Delete.GracePeriodDays) * 24 * time.Hour
}
