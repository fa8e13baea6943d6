package git

import (
	"context"

	"memctl/files"
	"memctl/files/gate"
)

// Init makes what the memory root at path lacks, as files.Init does. The new root of a project in git leaves the
// history of its memories to git's log, so that a server without the merge driver can merge them.
func Init(ctx context.Context, path string) (files.Initialized, error) {
	return files.InitFor(path, func() bool { return keepsHistory(ctx, path) })
}

// keepsHistory reports whether git will have the memories of a root that has just been made: its first memory, which
// may have made it, is all that it has.
func keepsHistory(ctx context.Context, path string) bool {
	root := files.Root{Path: path}
	if paths, err := root.MemoryPaths(); err != nil || len(paths) > 1 || !InRepository(path) || isUsers(path) ||
		CheckWorkTree(ctx, path) != nil {
		return false
	}
	_, notIgnored := Run(ctx, path, "check-ignore", "--quiet", "decisions/x.json")
	return notIgnored != nil
}

// isUsers reports whether the memories of a root are a user's own, of every project.
func isUsers(path string) bool {
	user, _, err := files.FindOrPlanUser()
	return err == nil && gate.SameFile(user.Path, path)
}
