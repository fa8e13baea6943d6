package review

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/git"
)

// findKept finds the missing files that are not gone: git ignores them, does not check them out, or has
// them on another branch. It finds those that git still tracks, too.
func (t *tree) findKept(ctx context.Context, missing []relatedFile) error {
	wanted := map[string]bool{}
	for _, f := range missing {
		wanted[f.path], wanted[strings.TrimSuffix(f.path, suffixOf(f.path))] = true, true
	}
	for tracked, f := range t.tracked {
		if f.mode == "160000" { // a submodule, which may not be there
			for _, m := range missing {
				if m.maybeIn(tracked) {
					t.kept[m.path] = true
				}
			}
			continue
		}
		for p := tracked; p != "."; p = path.Dir(p) { // and the folders that it is in
			if wanted[p] && f.skipped {
				t.kept[p] = true
			} else if wanted[p] {
				t.unstaged[p] = true
			}
		}
	}
	if err := t.findIgnored(ctx, wanted); err != nil {
		return err
	}
	return t.findElsewhere(ctx, missing, wanted)
}

// findIgnored finds the missing files that git ignores, such as those that a build makes.
func (t *tree) findIgnored(ctx context.Context, wanted map[string]bool) error {
	var names strings.Builder
	for p := range wanted {
		if !t.kept[p] && !t.isBehindLink(p) { // git answers nothing at all if one is in a submodule or behind a link
			names.WriteString("./" + p + "\x00./" + p + "/\x00") // it may have been a folder
		}
	}
	ignored, err := git.RunWith(ctx, t.Name(), strings.NewReader(names.String()), "check-ignore", "-z", "--stdin")
	if err != nil { // none is ignored, or git does not know
		return ctx.Err()
	}
	for p := range strings.SplitSeq(string(ignored), "\x00") {
		if p = path.Clean(p); t.memory == "" || !strings.HasPrefix(p, t.memory+"/") {
			t.kept[p] = true
		}
	}
	return nil
}

// isBehindLink reports whether a folder above a path is a symbolic link.
func (t *tree) isBehindLink(p string) bool {
	for p = path.Dir(p); p != "."; p = path.Dir(p) {
		if info, err := t.Lstat(filepath.FromSlash(p)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// findElsewhere finds the missing files that another branch has. What the history of this one says of them
// counts more.
func (t *tree) findElsewhere(ctx context.Context, missing []relatedFile, wanted map[string]bool) error {
	below := maps.Clone(wanted)
	for _, f := range missing {
		if f.pattern != nil {
			below[path.Dir(f.pattern.prefix+"x")] = true
		}
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(below)), mostSpecs) {
		err := git.OnBranches(ctx, t.Name(), func(file string) {
			for p := file; p != "."; p = path.Dir(p) {
				if wanted[p] {
					t.elsewhere[p] = true
				}
			}
			for _, f := range missing {
				if f.pattern.matches(file) {
					t.elsewhere[f.path] = true
				}
			}
		}, some...)
		if err != nil {
			return ctx.Err()
		}
	}
	return nil
}
