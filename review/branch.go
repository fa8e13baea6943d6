package review

import (
	"context"
	"slices"
	"strings"

	"memctl/git"
	"memctl/memdir"
	"memctl/observe"
)

// NoteBranch notes the files that differ from the last commit and those of the last
// commits, for the start of the next session.
func NoteBranch(ctx context.Context, root memdir.Root) error {
	if !git.InRepository(root.Project) {
		return nil
	}
	var files []string
	for _, args := range [][]string{
		{"diff", "--name-only", "--relative", "--no-renames", "-z", "HEAD"},
		{"log", "--max-count=30", "--format=", "--name-only", "--relative", "--no-renames", "-z"},
	} {
		out, err := git.Run(ctx, root.Project, args...)
		if err != nil {
			return err
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			if name = strings.Trim(name, "\n"); name != "" && !strings.Contains(name, "\n") && !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return observe.NoteBranch(root, files)
}
