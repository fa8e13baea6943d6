package indexer

import (
	"context"
	"errors"
	"path"
	"slices"

	"memctl/db"
	"memctl/memdir"
	"memctl/schemas"
)

// Discrepancy is a file on which the index and the disk disagree.
type Discrepancy struct {
	Path  string
	State string // "missing" from the index, "stale" if the file is gone, or "changed"
}

// Check compares the index with the files and changes neither. If the root has no
// index, the error is db.ErrMissing. Check fails too if so much differs that the next
// use rebuilds the index.
func Check(ctx context.Context, root memdir.Root) ([]Discrepancy, error) {
	ix, err := openOnDisk(ctx, root)
	if readOnly(err) {
		ix = &Index{}
		ix.DB, err = db.OpenReadOnly(ctx, root.Join(memdir.IndexName))
	}
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	recorded, _, err := ix.Folders(ctx, "", quickLimit)
	if err != nil {
		return nil, err
	}
	var list []Discrepancy
	for _, name := range schemas.Folders() {
		found, err := checkFolder(ctx, ix.DB, listFolder(root, "", name), recorded[name].Problem)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func checkFolder(ctx context.Context, d *db.DB, f *folder, recordedProblem string) (list []Discrepancy, err error) {
	defer f.close()
	if err := f.compareTo(ctx, d, syncLimit); err != nil {
		return nil, err
	}
	if now := f.state.Problem; now != recordedProblem {
		state := "missing"
		if now == "" {
			state = "stale"
		}
		list = append(list, Discrepancy{f.state.Folder, state})
	}
	b := &batch{write: func(b *batch) error {
		for _, e := range b.put {
			state := "changed"
			if slices.Contains(f.added, baseName(e.Path)) {
				state = "missing"
			}
			list = append(list, Discrepancy{e.Path, state})
		}
		for _, e := range b.touched {
			if slices.Contains(f.changed, baseName(e.Path)) {
				list = append(list, Discrepancy{e.Path, "changed"})
			}
		}
		for _, path := range b.removed {
			list = append(list, Discrepancy{path, "stale"})
		}
		return nil
	}}
	err = errors.Join(b.addFolder(ctx, d, f), b.flush())
	return list, err
}

// Twins names the indexed files that some system takes for another one. All of them are
// in the index.
func Twins(tx *db.Tx) ([]schemas.Problem, error) {
	paths, err := tx.Paths()
	if err != nil {
		return nil, err
	}
	var problems []schemas.Problem
	for _, twins := range memdir.Twins(paths) {
		for i, at := range twins {
			other := path.Base(twins[(i+1)%len(twins)])
			reason := "macOS and Windows take it and " + other + " for the same file"
			problems = append(problems, schemas.Problem{Path: at, Reason: reason})
		}
	}
	return problems, nil
}
