package observe

import (
	"slices"
	"strings"

	"memctl/memdir"
)

const (
	branchPrefix = "branch-"
	// maxBranch is how many files of a branch are kept, maxBranchBytes what they take.
	maxBranch      = 500
	maxBranchBytes = 256 << 10
	// maxUsed is how many memories count as used last.
	maxUsed = 100
)

// NoteBranch notes the files of a root's project that its branch is about: those that
// differ from the last commit and those of the last commits, below the project.
func NoteBranch(root memdir.Root, files []string) error {
	return memdir.WriteStateFile(branchPrefix+root.Key(), strings.Join(files[:min(len(files), maxBranch)], "\n"))
}

// BranchFiles returns the files that NoteBranch noted last, none if it never did.
func BranchFiles(root memdir.Root) []string {
	data, err := memdir.ReadStateFile(branchPrefix+root.Key(), maxBranchBytes)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(string(data), "\n")
}

// LastUsed returns the paths of the memories of a root that were given last, the last one
// first.
func LastUsed(root memdir.Root) (paths []string) {
	list, _ := ReadInjections(root) // without the record none was
	for _, in := range slices.Backward(list) {
		for _, path := range in.Memories {
			if len(paths) == maxUsed {
				return paths
			}
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
