package review

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"memctl/git"
)

// ownKinds are those of findings that a memory or its source says.
var ownKinds = []Kind{Expired, Status, Source, Superseded, Open}

// addCommits names the commit that last changed what a finding goes by where only the memory, or the
// source of its import, says it. One run of git is for all.
func (v *reviewer) addCommits(ctx context.Context) {
	if v.NoGit {
		return
	}
	of := map[string][]*Finding{} // by the path below the project
	args := []string{"--no-merges", "HEAD", "--"}
	for i := range v.report.Findings {
		f := &v.report.Findings[i]
		file := f.source
		if file == "" {
			file = v.root.Join(f.memory.path)
		}
		below, err := filepath.Rel(v.root.Project, file)
		if err != nil || !filepath.IsLocal(below) || f.Commit != "" || !slices.Contains(ownKinds, f.Kind) {
			continue
		}
		below = filepath.ToSlash(below)
		of[below], args = append(of[below], f), append(args, below)
	}
	prefix, err := git.Prefix(ctx, v.root.Project)
	if len(of) == 0 || err != nil {
		return
	}
	errFound := errors.New("every commit is found")
	_ = git.Log(ctx, v.root.Project, maxTime, func(c git.Commit, files iter.Seq[git.FileChange]) error { // else there is none
		for change := range files {
			p := strings.TrimPrefix(change.Path, prefix)
			for _, f := range of[p] {
				f.Commit = c.ID
			}
			delete(of, p)
		}
		if len(of) == 0 {
			return errFound
		}
		return nil
	}, args...)
}
