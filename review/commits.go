package review

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"

	"memctl/git"
)

// addCommits names the commit that last changed what a finding goes by where only the memory, or the
// source of its import, says it. One run of git is for all.
func (v *reviewer) addCommits(ctx context.Context) {
	if v.NoGit {
		return
	}
	found := map[string]string{} // by the path below the project
	pathOf := func(f Finding) string {
		file := f.source
		if file == "" {
			file = v.root.Join(f.memory.path)
		}
		below, err := filepath.Rel(v.root.Project, file)
		if err != nil || !filepath.IsLocal(below) || f.Commit != "" || !slices.Contains(ownKinds, f.Kind) {
			return ""
		}
		return filepath.ToSlash(below)
	}
	args := []string{"--no-merges", "HEAD", "--"}
	for _, f := range v.report.Findings {
		if p := pathOf(f); p != "" && found[p] == "" {
			found[p] = unknownCommit
			args = append(args, p)
		}
	}
	prefix, err := git.Prefix(ctx, v.root.Project)
	if left := len(found); left > 0 && err == nil {
		_ = git.Log(ctx, v.root.Project, maxTime, func(c git.Commit, files iter.Seq[git.FileChange]) error { // else there is none
			for f := range files {
				p := f.Path[min(len(prefix), len(f.Path)):]
				if found[p] == unknownCommit {
					found[p] = c.ID
					left--
				}
			}
			if left == 0 {
				return errAllFound
			}
			return nil
		}, args...)
	}
	for i, f := range v.report.Findings {
		if id := found[pathOf(f)]; id != unknownCommit {
			v.report.Findings[i].Commit = id + f.Commit
		}
	}
}

// ownKinds are those of findings that a memory or its source says.
var ownKinds = []Kind{Expired, Status, Source, Superseded, Open}

const unknownCommit = "unknown"

var errAllFound = errors.New("every commit is found")
