package writer

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
)

// Collection is the answer of Collect. Paths are relative to the root.
type Collection struct {
	DryRun     bool      `json:"dry_run"`
	Archived   []string  `json:"archived"`
	Deleted    []string  `json:"deleted"`
	Skipped    []Skipped `json:"skipped"`
	Restorable int       `json:"kept"` // retired memories that can still be restored
}

// Collect archives the memories that have been retired for longer than the grace
// period, or deletes them, as delete.archive_retired says. The index says which
// memories are retired, and their files say since when.
func (w *Writer) Collect(ctx context.Context, dryRun bool) (Collection, error) {
	c := Collection{DryRun: dryRun, Archived: []string{}, Deleted: []string{}, Skipped: []Skipped{}}
	var paths []string
	err := indexer.Use(ctx, w.Root, indexer.Full, func(ix *indexer.Index) error {
		paths = nil
		items, err := retrieve.List(ctx, ix.DB, retrieve.Filter{Statuses: []schemas.Status{schemas.Retired}}, "path")
		for _, item := range items {
			paths = append(paths, item.Path)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	c.Skipped, err = w.each(ctx, paths, func(i int) error { return w.collect(ctx, &c, paths[i]) })
	return c, err
}

func (w *Writer) collect(ctx context.Context, c *Collection, path string) error {
	return w.lockedMemory(ctx, path, collect.code, func(m *memory) (changed []string, err error) {
		doc, err := m.decode()
		if err != nil {
			return nil, err
		}
		if statusOf(doc) != string(schemas.Retired) {
			return nil, nil // restored since the index was read
		}
		retired, ok := schemas.ParseTime(doc.RetiredAt)
		if !ok {
			return nil, fmt.Errorf("retired_at %q is not a date, so its grace period has no end", doc.RetiredAt)
		}
		age := w.Now().Sub(retired)
		if age < time.Duration(w.Config.Delete.GracePeriodDays)*24*time.Hour {
			c.Restorable++
			return nil, nil
		}
		list := &c.Deleted
		if w.Config.Delete.ArchiveRetired {
			list = &c.Archived
		}
		if !c.DryRun {
			changed, err = w.dispose(m, doc, age)
		}
		if err == nil {
			*list = append(*list, m.path())
		}
		return changed, err
	})
}

// dispose archives or deletes a memory whose grace period is over.
func (w *Writer) dispose(m *memory, doc *schemas.Memory, age time.Duration) ([]string, error) {
	if w.Config.Delete.ArchiveRetired {
		w.withheld(m.path()+": ", w.redact(doc))
		reason := fmt.Sprintf("%d days after it was retired: %s", int(age.Hours()/24),
			cmp.Or(doc.RetiredReason, noReason))
		return w.setStatus(m, doc, collect, cut(reason))
	}
	return []string{m.path()}, m.unwritten(m.folder.Remove(m.file()))
}
