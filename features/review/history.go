package review

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memctl/files/git"
	"memctl/text"
)

const (
	// maxTime limits how long commits are read.
	maxTime = time.Minute
	// maxFiles is how many files a commit may change. One that changes more, such as a
	// new formatter, says nothing about each.
	maxFiles = 500
	// maxFates limits how many deletions and renames are remembered.
	maxFates = 1 << 20
)

// shown names a commit in a reason. What is only staged has no id.
func shown(c git.Commit) text.Phrase {
	if c.ID == "" {
		return text.Say("not committed")
	}
	return text.Say("%s, %s", c.ID[:min(10, len(c.ID))], day(time.Unix(c.Time, 0)))
}

// log lists the changes of commits to related files, the last commit first.
type log struct {
	commits []git.Commit
	// files has the commits that changed each file, by their index, by its present path, as far back
	// as since. Folders have none: in them something always changes.
	files map[string][]int
	since int64
	// present has the present paths of files, by each name that they had before.
	present map[string]string
	// fates has the last deletion or rename of each path.
	fates map[string]event
	names []string // of fates, sorted
	read  int      // commits
	whole bool     // all commits were read
	// shallow is true for a clone that lacks older commits, and most often the other branches.
	shallow bool
}

// event is the deletion of a path, or its rename if to is not empty.
type event struct {
	commit  int
	to      string
	similar int // percent
}

func newLog() *log {
	return &log{files: map[string][]int{}, present: map[string]string{}, fates: map[string]event{}}
}

// end is the present name of a path, or its deletion.
type end struct {
	commit  git.Commit
	to      string // the present path, "" if there is none
	similar int
}

// fate follows a path that is gone to what it is now.
func (l *log) fate(p string, exists func(string) bool) (end, bool) {
	e, known := l.fates[p]
	if !known {
		return l.folderFate(p, exists)
	}
	result := end{l.commits[e.commit], "", e.similar}
	for e.to != "" && !exists(e.to) {
		next, known := l.fates[e.to]
		if !known || next.commit >= e.commit {
			e.to = ""
			break
		}
		e = next
		result = end{l.commits[e.commit], "", min(result.similar, e.similar)}
	}
	result.to = e.to
	return result, true
}

// folderFate follows a folder that is gone: to where most of its files went, if they
// went to one folder under the same names.
func (l *log) folderFate(p string, exists func(string) bool) (end, bool) {
	if len(l.names) != len(l.fates) {
		l.names = slices.Sorted(maps.Keys(l.fates))
	}
	var all []end
	to := map[string][]end{} // by the folder
	first, _ := slices.BinarySearch(l.names, p+"/")
	for _, name := range l.names[first:] {
		below, inside := strings.CutPrefix(name, p+"/")
		if !inside {
			break
		}
		file, _ := l.fate(name, exists)
		folder, moved := strings.CutSuffix(file.to, "/"+below)
		if file.to = folder; !moved {
			file = end{commit: l.commits[l.fates[name].commit]}
		}
		all, to[file.to] = append(all, file), append(to[file.to], file)
	}
	if len(all) == 0 {
		return end{}, false
	}
	byTime := func(a, b end) int { return cmp.Compare(a.commit.Time, b.commit.Time) }
	for folder, files := range to {
		if folder != "" && 2*len(files) > len(all) {
			return slices.MaxFunc(files, byTime), true
		}
	}
	return end{commit: slices.MaxFunc(all, byTime).commit}, true
}

// readHistory reads what commits did to the related files: all commits if one of them is
// gone, else those since the oldest memory was made.
func (v *reviewer) readHistory(ctx context.Context, t *tree, missing []relatedFile) error {
	all, err := git.Commits(ctx, t.project)
	if err != nil {
		v.note("the commits could not be listed: %v", err)
		return ctx.Err()
	}
	t.branch = branchOf(all)
	t.commits = slices.DeleteFunc(all, func(c git.Commit) bool { return strings.Contains(c.Parents, " ") })
	oldest := v.Now
	for _, m := range v.memories {
		if !m.updated.IsZero() && m.updated.Before(oldest) {
			oldest = m.updated
		}
	}
	t.log.since = oldest.Unix()
	commits := t.commitsSince(oldest)
	if len(missing) > 0 {
		if err := t.readStaged(ctx); err != nil {
			return err
		}
		commits = t.commits
	}
	step, end := v.progress(len(commits))
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	lacks, err := git.LogOf(limited, t.project, commits, func(c git.Commit, files iter.Seq[git.FileChange]) error {
		t.log.add(c, files)
		step()
		return nil
	})
	end()
	v.report.Commits = t.log.read
	output, _ := git.Run(ctx, t.project, "rev-parse", "--is-shallow-repository")
	t.log.shallow = strings.TrimSpace(string(output)) == "true"
	t.log.whole = err == nil && !lacks && !t.log.shallow && len(commits) == len(t.commits)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		v.note("only the last %d of %d commits were read, because that took %s", t.log.read, len(commits), maxTime)
	case err != nil:
		v.note("not all commits could be read: %v", err)
	case t.log.shallow:
		v.note(`the clone is shallow, so older deletions, renames and changes are unknown: run "git fetch --unshallow"`)
	case lacks && len(missing) > 0:
		v.note("the clone lacks the contents of some files, so only files that were moved unchanged count as renamed " +
			"in the commits that have them")
	}
	return nil
}

// branchOf returns the commits of the branch itself: the last, its first parent and so on.
func branchOf(all []git.Commit) (branch []git.Commit) {
	next := ""
	for _, c := range all {
		if next == "" || c.ID == next {
			branch = append(branch, c)
			if next, _, _ = strings.Cut(c.Parents, " "); next == "" {
				break
			}
		}
	}
	return branch
}

// commitsSince returns the commits after a time.
func (t *tree) commitsSince(when time.Time) (since []git.Commit) {
	for _, c := range t.commits {
		if c.Time > when.Unix() {
			since = append(since, c)
		}
	}
	return since
}

// progress returns functions that say that one of the commits was read, and that all were.
func (v *reviewer) progress(total int) (step, end func()) {
	if v.Progress == nil {
		return func() {}, func() {}
	}
	n := 0
	return func() { n++; v.Progress(min(n, total-1), total) }, func() { v.Progress(1, 1) }
}

// readStaged reads renames and deletions that are staged.
func (t *tree) readStaged(ctx context.Context) error {
	err := git.Staged(ctx, t.project, maxTime, func(files iter.Seq[git.FileChange]) error {
		t.log.commits = append(t.log.commits, git.Commit{})
		for f := range files {
			t.log.addFate(f)
		}
		return nil
	})
	if errors.As(err, new(*git.Error)) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil // what is committed counts
	}
	return err
}

// add takes in a commit.
func (l *log) add(c git.Commit, files iter.Seq[git.FileChange]) {
	at := len(l.commits)
	l.commits = append(l.commits, c)
	l.read++
	changed := map[string]bool{} // by the present path
	n := 0
	for f := range files {
		n++
		l.addFate(f)
		if c.Time >= l.since && (f.Status != 'R' || f.Similar < 100) {
			changed[l.nowAt(f.Path)] = true
		}
	}
	if n <= maxFiles {
		for p := range changed {
			l.files[p] = append(l.files[p], at)
		}
	}
}

// addFate takes in a deletion or a rename by the last commit.
func (l *log) addFate(f git.FileChange) {
	switch f.Status {
	case 'D':
		l.setFate(f.Path, event{commit: len(l.commits) - 1})
	case 'R':
		from := f.From[0]
		l.setFate(from, event{len(l.commits) - 1, f.Path, f.Similar})
		if _, taken := l.present[from]; !taken && len(l.present) < maxFates {
			l.present[from] = l.nowAt(f.Path)
		}
	}
}

// nowAt returns the present path of a file that had a name at the commit that is read.
func (l *log) nowAt(name string) string {
	if present, renamed := l.present[name]; renamed {
		return present
	}
	return name
}

// setFate remembers the last event of a path, which is read first.
func (l *log) setFate(p string, e event) {
	if _, known := l.fates[p]; !known && len(l.fates) < maxFates {
		l.fates[p] = e
	}
}

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
		below := f.source
		if below == "" {
			rel, err := filepath.Rel(v.root.Project, v.root.Join(f.memory.path))
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			below = filepath.ToSlash(rel)
		}
		if f.Commit != "" || !slices.Contains(ownKinds, f.Kind) {
			continue
		}
		of[below], args = append(of[below], f), append(args, below)
	}
	prefix, err := git.Prefix(ctx, v.root.Project)
	if len(of) == 0 || err != nil {
		return
	}
	errFound := errors.New("every commit is found")
	// else there is none
	_ = git.Log(ctx, v.root.Project, maxTime, func(c git.Commit, files iter.Seq[git.FileChange]) error {
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
