package versions

import (
	"context"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
)

// stages returns the versions of a memory that git could not merge. There are none,
// found is false, unless a merge is going on and both sides have the memory.
func stages(ctx context.Context, root files.Root, path string) (versions schemas.Texts, found bool, err error) {
	blobs, err := git.Resolve(ctx, root.Path, []string{":1:./" + path, ":2:./" + path, ":3:./" + path})
	if err != nil {
		return versions, false, err
	}
	ids, contents := make([]string, len(blobs)), map[string][]byte{}
	for i, file := range blobs {
		ids[i] = file.Blob
	}
	err = git.Blobs(ctx, root.Path, ids, schemas.MaxFileBytes, func(id string, data []byte) error {
		contents[id] = data
		return nil
	})
	versions = schemas.Texts{Base: contents[ids[0]], Ours: contents[ids[1]], Theirs: contents[ids[2]]}
	return versions, versions.Ours != nil && versions.Theirs != nil, err
}
