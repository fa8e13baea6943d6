package git

import (
	"context"
	"maps"
	"slices"

	"memctl/memdir"
	"memctl/schemas"
)

// Unmerged are the versions of a file that git could not merge, nil for one that does not
// exist.
type Unmerged struct{ Base, Ours, Theirs []byte }

// Stages returns the versions of a memory that git could not merge. There are none,
// found is false, unless a merge is going on and both sides have the memory.
func Stages(ctx context.Context, root memdir.Root, path string) (versions Unmerged, found bool, err error) {
	blobs := map[string]string{} // by stage
	err = Entries(ctx, root.Path, timeout, func(words []string, _ string) error {
		if len(words) == 3 { // mode, blob and stage
			blobs[words[2]] = words[1]
		}
		return nil
	}, "ls-files", "--unmerged", "--", path)
	if err != nil {
		return versions, false, err
	}
	contents := map[string][]byte{}
	err = Blobs(ctx, root.Path, slices.Sorted(maps.Values(blobs)), schemas.MaxFileBytes,
		func(id string, data []byte) error {
			contents[id] = data
			return nil
		})
	versions = Unmerged{Base: contents[blobs["1"]], Ours: contents[blobs["2"]], Theirs: contents[blobs["3"]]}
	return versions, versions.Ours != nil && versions.Theirs != nil, err
}
