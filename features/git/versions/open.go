package versions

import (
	"context"
	"slices"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// InConflict returns the paths of the memories of a root in which a merge left a conflict: a record beside the file,
// or git's markers in it.
func InConflict(ctx context.Context, root files.Root) ([]string, error) {
	paths := root.InConflict()
	overview, err := store.Inspect(ctx, root, func(retrieve.Source) error { return nil })
	for _, p := range overview.Problems {
		if data, err := root.ReadFile(p.Path); err == nil && schemas.ConflictLine(data) > 0 {
			paths = append(paths, p.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), err
}
