package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memctl/git"
	"memctl/memdir"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func runHistory(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	root, err := findRoot(c)
	if err != nil {
		return err
	}
	ref, err := resolveMemory(c.Context, root, name)
	if c.Bool("fields") {
		if err != nil {
			return err
		}
		return pagedFor(c, std, "origins")(git.Blame(c.Context, root, ref.Path))
	}
	limit := c.Int("limit")
	var revisions []git.Revision
	if err == nil {
		revisions, err = git.Revisions(c.Context, root, ref.Path, limit)
	} else if deleted := deletedMemory(c.Context, root, name, limit); deleted != nil {
		revisions, err = deleted, nil
	}
	return pagedFor(c, std, "revisions")(revisions, err)
}

// deletedMemory returns the revisions of a memory that was deleted, nil if there never
// was one of that id or path.
func deletedMemory(ctx context.Context, root memdir.Root, name string, limit int) []git.Revision {
	below, err := root.Below(name)
	if err != nil {
		return nil
	}
	paths := []string{below}
	if !strings.Contains(below, "/") {
		paths = nil
		for _, info := range schemas.Categories {
			paths = append(paths, info.Folder+"/"+strings.TrimSuffix(below, ".json")+".json")
		}
	}
	for _, path := range paths {
		if _, ok := schemas.CategoryOfPath(path); !ok {
			continue
		}
		if revisions, err := git.Revisions(ctx, root, path, limit); err == nil && len(revisions) > 0 {
			return revisions
		} else if errors.Is(err, context.Canceled) {
			return nil
		}
	}
	return nil
}

// shortCommit is how much of a commit's id a person reads.
const shortCommit = 10

func commitID(c git.Commit) string {
	if c.ID == "" {
		return "not committed"
	}
	return c.ID[:min(shortCommit, len(c.ID))]
}

// meaningful are the fields of a revision that a person wants to know about: not all of a
// new memory, and not those that every update changes.
func meaningful(r git.Revision) []string {
	if r.Change == git.Added {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Fields), func(field string) bool {
		return field == "changes" || field == "times_updated" || field == "updated_at"
	})
}
