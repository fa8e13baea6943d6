package git

import (
	"context"
	"strings"

	"memctl/memdir"
	"memctl/merge"
	"memctl/schemas"
)

// Stages returns the versions of a memory that git could not merge. There are none,
// found is false, unless a merge is going on and both sides have the memory.
func Stages(ctx context.Context, root memdir.Root, path string) (versions merge.Texts, found bool, err error) {
	out, err := Run(ctx, root.Path, "--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", path)
	if err != nil {
		return versions, false, err
	}
	blobs := map[string]string{} // by stage
	for line := range strings.SplitSeq(string(out), "\x00") {
		if words := strings.Fields(line); len(words) >= 3 {
			blobs[words[2]] = words[1]
		}
	}
	places := map[string]*[]byte{"1": &versions.Base, "2": &versions.Ours, "3": &versions.Theirs}
	for stage, blob := range blobs {
		err := Blobs(ctx, root.Path, []string{blob}, schemas.MaxFileBytes, func(_ string, data []byte) error {
			*places[stage] = data
			return nil
		})
		if err != nil {
			return versions, false, err
		}
	}
	return versions, versions.Ours != nil && versions.Theirs != nil, nil
}
