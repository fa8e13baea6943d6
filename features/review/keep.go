package review

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/files/git"
	"memctl/observe"
)

// keep adds to what is kept of a review: what is said of a memory where it is given.
func (v *reviewer) keep(m *memory, f observe.Finding) {
	if f.Memory = m.version; v.covers(m, Kind(f.Kind)) {
		v.findings = append(v.findings, f)
	}
}

// covers reports whether the review looks for findings of a kind about a memory.
func (v *reviewer) covers(m *memory, kind Kind) bool {
	return v.wants(kind) && (len(v.Targets) == 0 || slices.Contains(v.Targets, m.path))
}

// keepFound keeps a finding that says that a memory may no longer be true.
func (v *reviewer) keepFound(m *memory, f Finding) {
	reason := f.Reason
	if f.Kind == Open {
		reason = "last updated on " + day(m.updated)
	}
	if f.Kind.info().Reason {
		v.keep(m, observe.Finding{Kind: string(f.Kind), Reason: reason})
	}
}

// keepFile keeps that a related file is gone, or renamed if to is not empty.
func (v *reviewer) keepFile(m *memory, name, to string, fate end, known bool) {
	f := observe.Finding{Kind: string(Missing), File: name, To: to}
	if to != "" {
		f.Kind = string(Renamed)
	}
	if known && fate.commit.ID != "" {
		f.Since = day(time.Unix(fate.commit.Time, 0))
	}
	v.keep(m, f)
}

// noteKept notes what is kept, for the moments at which memories are given. What this review
// did not look for stays as the one before found it, and so does what only git knows.
func (v *reviewer) noteKept() error {
	memories := map[files.Version]*memory{}
	for _, m := range v.memories {
		memories[m.version] = m
	}
	type place struct {
		memory files.Version
		file   string
	}
	before := map[place]observe.Finding{} // of files
	leaveFiles := v.NoGit && git.InRepository(v.root.Project)
	var list []observe.Finding
	for _, f := range observe.ReadFindings(v.root).All() {
		m := memories[f.Memory]
		if m == nil {
			continue // settled
		}
		if f.File != "" {
			before[place{f.Memory, f.File}] = f
		}
		if kind := Kind(f.Kind); !v.covers(m, kind) || v.NoGit && (kind == Changed || kind == Vanished) || leaveFiles &&
			f.File != "" {
			list = append(list, f)
		}
	}
	for _, f := range v.findings {
		if f.File == "" {
			list = append(list, f)
		} else if !leaveFiles {
			f.Since = cmp.Or(f.Since, before[place{f.Memory, f.File}].Since, day(v.Now))
			list = append(list, f)
		}
	}
	return observe.NoteFindings(v.root, list)
}

// NoteFiles notes which related files are gone and what git knows of them. It returns those findings.
func NoteFiles(ctx context.Context, root files.Root, now time.Time) ([]Finding, error) {
	if !git.InRepository(root.Project) {
		return nil, nil
	}
	r, err := Run(ctx, root, Options{Now: now, Only: []Kind{Renamed, Missing}})
	return r.Findings, err
}

// refreshEvery is how long a review counts as recent.
const refreshEvery = 24 * time.Hour

// Refresh reviews a root once a day and records how much it found, for the start of the next
// session. It runs git only if related files are missing, or were: git knows which of them are gone.
func Refresh(ctx context.Context, root files.Root, now time.Time) error {
	cfg, _, err := root.Config()
	if err != nil || !cfg.Review.Announce {
		return err
	}
	last, err := observe.LastReview(root)
	if err != nil || now.Sub(last.Time) < refreshEvery {
		return err
	}
	// A review that takes too long ends with the process. It is not tried again today.
	if err := observe.RecordReview(root, now, last.Findings); err != nil {
		return err
	}
	r, err := Run(ctx, root, Options{Now: now, Days: DefaultDays, Commits: DefaultCommits, NoGit: true})
	if err != nil {
		return err
	}
	missed := slices.ContainsFunc(observe.ReadFindings(root).All(), func(f observe.Finding) bool {
		return f.File != ""
	})
	n := len(r.Findings)
	if git.InRepository(root.Project) && (missed || r.Counts[Missing] > 0) {
		gone, err := NoteFiles(ctx, root, now) // git knows better
		if err != nil {
			return err
		}
		n = countMemories(slices.Concat(gone, r.without(Missing)))
	}
	if n == last.Findings {
		return nil
	}
	return observe.RecordReview(root, now, n)
}

// without returns the findings that say more than one kind does.
func (r Report) without(kind Kind) (list []Finding) {
	for _, f := range r.Findings {
		for part := range f.each() {
			if part.Kind != kind {
				list = append(list, f)
				break
			}
		}
	}
	return list
}

// countMemories counts the memories that findings are about.
func countMemories(findings []Finding) int {
	paths := map[string]bool{}
	for _, f := range findings {
		paths[f.Path] = true
	}
	return len(paths)
}

// NoteBranch notes the files that differ from the last commit and those of the last
// commits, for the start of the next session.
func NoteBranch(ctx context.Context, root files.Root) error {
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
			if name = strings.Trim(name, "\n"); name != "" && !strings.Contains(name, "\n") &&
				!slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return observe.NoteBranch(root, files)
}
