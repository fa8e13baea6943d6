package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"memctl/git"
	"memctl/memdir"
	"memctl/observe"
)

// refreshEvery is how long a review counts as recent.
const refreshEvery = 24 * time.Hour

// Refresh reviews a root once a day and records how much it found, for the start of the next
// session. It runs no git, and reports whether related files are gone.
func Refresh(ctx context.Context, root memdir.Root, now time.Time) (gone bool, err error) {
	cfg, _, err := root.Config()
	if err != nil || !cfg.Review.Announce {
		return false, err
	}
	last, err := observe.LastReview(root)
	if err != nil || now.Sub(last.Time) < refreshEvery {
		return false, err
	}
	// A review that takes too long ends with the process. It is not tried again today.
	if err := observe.RecordReview(root, now, last.Findings); err != nil {
		return false, err
	}
	r, err := Run(ctx, root, Options{Now: now, Days: DefaultDays, Commits: DefaultCommits, NoGit: true})
	if err == nil && len(r.Findings) != last.Findings {
		err = observe.RecordReview(root, now, len(r.Findings))
	}
	return r.Counts[Missing] > 0, err
}

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
