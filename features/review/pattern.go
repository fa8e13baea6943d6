package review

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"memctl/files/git"
	"memctl/retrieve"
)

// pattern is a related file that stands for all files that it matches.
type pattern struct {
	re     *regexp.Regexp // of paths from the project's folder
	base   string         // of the project in the tree, "" or with a slash at its end
	prefix string         // the beginning of every path in the tree that it matches
}

// newPattern returns nil for what is no pattern.
func (t *tree) newPattern(p string) *pattern {
	glob, inside := strings.CutPrefix(p, t.prefix)
	if !inside || !retrieve.IsPattern(glob) || len(glob) > retrieve.MaxPattern {
		return nil
	}
	re, err := retrieve.Pattern(glob)
	if err != nil {
		return nil
	}
	return &pattern{re, t.prefix, t.prefix + retrieve.PatternPrefix(glob)}
}

// matches is false for every file if p is nil.
func (p *pattern) matches(file string) bool {
	return p != nil && strings.HasPrefix(file, p.prefix) && p.re.MatchString(file[len(p.base):])
}

// maybeIn reports whether a related file, or some that its pattern matches, may be in a submodule.
func (f relatedFile) maybeIn(submodule string) bool {
	if f.pattern == nil {
		return strings.HasPrefix(f.path+"/", submodule+"/")
	}
	return strings.HasPrefix(f.pattern.prefix, submodule+"/") || strings.HasPrefix(submodule+"/", f.pattern.prefix)
}

// withoutMatching returns the missing files without the patterns that match a file of the working tree, or one
// that a sparse checkout leaves out.
func (t *tree) withoutMatching(ctx context.Context, missing []relatedFile) []relatedFile {
	match := func(f relatedFile) bool {
		for file, tracked := range t.tracked {
			if f.pattern.matches(file) && (tracked.skipped || t.has(file)) {
				return true
			}
		}
		return false
	}
	missing = slices.DeleteFunc(missing, match)
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--others", "--"}
	for _, f := range missing {
		if f.pattern != nil {
			args = append(args, path.Dir(f.pattern.prefix+"x"))
		}
	}
	if args[len(args)-1] == "--" {
		return missing
	}
	untracked, err := git.Run(ctx, t.Name(), args...)
	return slices.DeleteFunc(missing, func(f relatedFile) bool {
		for file := range strings.SplitSeq(string(untracked), "\x00") {
			if f.pattern.matches(file) {
				return true
			}
		}
		return f.pattern != nil && err != nil // unknown
	})
}

// patternFate returns the last deletion or rename of a file that a pattern matched.
func (l *log) patternFate(p *pattern) (last end, known bool) {
	at := len(l.commits)
	for name, e := range l.fates {
		if e.commit < at && p.matches(name) {
			at = e.commit
		}
	}
	if at == len(l.commits) {
		return end{}, false
	}
	return end{commit: l.commits[at]}, true
}
