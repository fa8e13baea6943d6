package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// Overview describes what a memory root holds and the state of its index.
type Overview struct {
	Root string `json:"root"`
	// Memories counts memories. Every category and status is there, also with 0.
	Memories map[schemas.Category]map[schemas.Status]int `json:"memories"`
	Index    IndexState                                  `json:"index"`
	Problems []db.Problem                                `json:"problems"`
	Twins    []db.Problem                                `json:"twins,omitempty"` // files that some system takes for another one
}

// IndexState is the state of the index when it was opened.
type IndexState struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	BuiltAt   string `json:"built_at"` // RFC 3339
	State     string `json:"state"`    // a sentence, such as "up to date"
	// Trouble says what is wrong with the index, "" for nothing.
	Trouble string `json:"-"`
	// Damaged reports whether the index was damaged and has been rebuilt.
	Damaged bool `json:"-"`
}

// readOverview brings the index of a root up to date, describes both, and runs more
// on the same index.
func readOverview(ctx context.Context, root memdir.Root, more func(*indexer.Index) error) (Overview, error) {
	o := Overview{Root: root.Path, Problems: []db.Problem{}}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		if err := o.read(ctx, root, ix); err != nil {
			return err
		}
		return more(ix)
	})
	if info, err := os.Stat(root.Join(memdir.IndexName)); err == nil {
		o.Index.SizeBytes = info.Size()
	}
	return o, err
}

func (o *Overview) read(ctx context.Context, root memdir.Root, ix *indexer.Index) error {
	type count struct {
		Category schemas.Category `db:"category"`
		Status   schemas.Status   `db:"record_status"`
		N        int              `db:"n"`
	}
	var counts []count
	err := ix.Select(ctx, &counts, `
		SELECT category, record_status, count(*) AS n
		FROM memories
		GROUP BY category, record_status`)
	if err != nil {
		return err
	}
	o.Memories = map[schemas.Category]map[schemas.Status]int{}
	for _, info := range schemas.Categories {
		o.Memories[info.Category] = map[schemas.Status]int{schemas.Active: 0, schemas.Retired: 0, schemas.Archived: 0}
	}
	for _, c := range counts {
		if o.Memories[c.Category] == nil {
			o.Memories[c.Category] = map[schemas.Status]int{}
		}
		o.Memories[c.Category][c.Status] = c.N
	}
	o.Index = stateOf(ix)
	o.Index.Path = root.Join(memdir.IndexName)
	return ix.View(ctx, func(tx *db.Tx) (err error) {
		if o.Index.BuiltAt, err = tx.Meta("built_at"); err != nil {
			return err
		}
		problems, err := tx.Problems(-1)
		o.Problems = append([]db.Problem{}, problems...)
		if err == nil {
			o.Twins, err = indexer.Twins(tx)
		}
		return err
	})
}

// Active returns the number of active memories.
func (o Overview) Active() int {
	n := 0
	for _, counts := range o.Memories {
		n += counts[schemas.Active]
	}
	return n
}

// stateOf describes the index as it was when it was opened.
func stateOf(ix *indexer.Index) IndexState {
	s := IndexState{State: "up to date", Damaged: ix.Rebuilt != nil && errors.Is(ix.Rebuilt.Reason, db.ErrDamaged)}
	switch {
	case ix.InMemory != nil:
		s.State = fmt.Sprintf("not usable, answered from memory: %v", ix.InMemory)
		s.Trouble = fmt.Sprintf("the index cannot be used, so every answer takes longer: %v", ix.InMemory)
	case ix.Rebuilt != nil:
		s.State = "rebuilt just now: " + ix.Rebuilt.Why()
		if s.Damaged {
			s.Trouble = "the index was damaged and has been rebuilt; nothing is lost"
		}
	case ix.Changed > 0:
		s.State = fmt.Sprintf("up to date, after taking in %s", text.Plural(ix.Changed, "changed file", "changed files"))
	}
	return s
}
