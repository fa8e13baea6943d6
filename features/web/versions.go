package web

import (
	"context"
	"slices"

	"memctl/features/git/versions"
	"memctl/files/git"
	"memctl/schemas"
)

// committed is a commit of a memory with the fields that differ from the version before it.
type committed struct {
	versions.Revision
	Differences []schemas.Difference
}

// commits returns the last commits of a memory, the last first. Most roots without git have none.
func commits(ctx context.Context, m stored) []committed {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	revisions, _ := versions.Revisions(ctx, m.Place.Root, m.Ref.Path, maxCommits)
	list, ids := make([]committed, len(revisions)), make([]string, 0, len(revisions))
	for i, r := range revisions {
		list[i].Revision = r
		if r.Blob != "" {
			ids = append(ids, r.Blob)
		}
	}
	contents := map[string]*schemas.Memory{} // by blob; "" is the file as it is, which is not committed
	contents[""], _ = schemas.DecodeDraft(m.Detail.Stored)
	_ = git.Blobs(ctx, m.Place.Root.Path, ids, schemas.MaxFileBytes, func(id string, data []byte) error {
		contents[id], _ = schemas.DecodeExact(data) // a version that is no memory has no fields to compare
		return nil
	}) // what git does not have is not compared
	for i := range list[:max(len(list)-1, 0)] {
		now, before := contents[list[i].Blob], contents[list[i+1].Blob]
		if now != nil && before != nil && list[i].Change != versions.Merged && list[i].Change != versions.Deleted {
			list[i].Differences = toShow(schemas.Differences(before, now))
		}
	}
	return list
}

// toShow leaves out what every update changes, and what a page shows alike.
func toShow(list []schemas.Difference) []schemas.Difference {
	return slices.DeleteFunc(list, func(d schemas.Difference) bool {
		return d.Routine() || plainValue(d.Old) == plainValue(d.New)
	})
}
