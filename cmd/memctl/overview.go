package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// overview is what status and health both say of a memory root.
type overview struct {
	Root     string                                      `json:"root"`
	Memories map[schemas.Category]map[schemas.Status]int `json:"memories"`
	Index    indexReport                                 `json:"index"`
	Problems []db.Problem                                `json:"problems"`
}

type indexReport struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	BuiltAt   string `json:"built_at"`
	// State says whether the index was found up to date.
	State string `json:"state"`
}

// readOverview brings the index up to date, looks at it, and runs more on it.
func readOverview(ctx context.Context, root memdir.Root, more func(*indexer.Index) error) (overview, error) {
	o := overview{Root: root.Path}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		if o.Memories, err = countMemories(ctx, ix); err != nil {
			return err
		}
		o.Index = indexReport{Path: root.Join(memdir.IndexName), State: stateOf(ix)}
		err = ix.View(ctx, func(tx *db.Tx) (err error) {
			if o.Index.BuiltAt, err = tx.Meta("built_at"); err != nil {
				return err
			}
			o.Problems, err = tx.Problems()
			return err
		})
		if err != nil {
			return err
		}
		return more(ix)
	})
	if info, err := os.Stat(root.Join(memdir.IndexName)); err == nil {
		o.Index.SizeBytes = info.Size()
	}
	o.Problems = nonNil(o.Problems)
	return o, err
}

func countMemories(ctx context.Context, ix *indexer.Index) (map[schemas.Category]map[schemas.Status]int, error) {
	memories := map[schemas.Category]map[schemas.Status]int{}
	for _, info := range schemas.Categories {
		memories[info.Category] = everyStatus(nil)
	}
	counts, err := retrieve.Counts(ctx, ix.DB)
	for _, c := range counts {
		if memories[c.Category] == nil {
			memories[c.Category] = everyStatus(nil)
		}
		memories[c.Category][c.Status] = c.N
	}
	return memories, err
}

func stateOf(ix *indexer.Index) string {
	switch {
	case ix.InMemory != nil:
		return fmt.Sprintf("not usable, answered from memory: %v", ix.InMemory)
	case ix.Rebuilt != nil:
		return "rebuilt just now: " + rebuildReason(ix.Rebuilt.Reason)
	case ix.Changed > 0:
		return fmt.Sprintf("up to date, after taking in %s", text.Plural(ix.Changed, "changed file", "changed files"))
	}
	return "up to date"
}

func (o overview) print(out io.Writer) {
	fmt.Fprintf(out, "%s\n\n%-16s %8s %8s %8s\n", o.Root, "", "active", "retired", "archived")
	total := everyStatus(nil)
	for _, info := range schemas.Categories {
		printCounts(out, string(info.Category), o.Memories[info.Category])
		for status, n := range o.Memories[info.Category] {
			total[status] += n
		}
	}
	printCounts(out, "total", total)
	fmt.Fprintf(out, "\nindex: %s, %s, built %s\n", o.Index.State, sizeOf(o.Index.SizeBytes), o.Index.BuiltAt)
	printProblems(out, o.Problems)
}

func printCounts(out io.Writer, name string, counts map[schemas.Status]int) {
	fmt.Fprintf(out, "%-16s %8d %8d %8d\n", name, counts[schemas.Active], counts[schemas.Retired], counts[schemas.Archived])
}

func sizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}
