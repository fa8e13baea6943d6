package store

import (
	"os"
	"path/filepath"

	"memctl/memdir"
)

// ProjectOf returns a name for the project of a folder, the same for all worktrees of a repository,
// and for the folders in each: where git keeps it and where its memory root is in a worktree. Without
// a repository it is the folder of the memory root, and without that the folder itself. A folder that
// is gone belongs to what is left above it.
func ProjectOf(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	for {
		if info, err := os.Stat(folder); err == nil && info.IsDir() || filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	root, err := memdir.Find(memdir.Places{Cwd: folder})
	if err == nil {
		if r := repositoryOf(root.Path); r.common != "" {
			return r.common + "#" + r.place
		}
		return root.Project
	}
	if r := repositoryOf(folder); r.common != "" {
		return r.common + "#" + memdir.RootPath
	}
	return folder
}
