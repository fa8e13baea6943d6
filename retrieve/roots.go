package retrieve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/memdir"
)

// maxOthers is how many roots sources.roots adds at most.
const maxOthers = 16

// Roots returns the memory roots that questions in a project are asked of: the project's,
// the user's, and those that the user's configuration names (sources.roots). The project's
// has no Path if there is none. The first root is the one whose settings count. A root is
// in the list once: a project that keeps its memories in the user's root has none of its
// own. The problems say why a root is not in the list.
func Roots(project memdir.Root) (roots []memdir.Root, problems []error) {
	user, exists, err := memdir.UserRoot()
	if err != nil {
		problems = append(problems, fmt.Errorf("the user's memories are not used: %w", err))
	}
	if project.Path != "" && project.Path != user.Path {
		roots = append(roots, project)
	}
	if !exists {
		return roots, problems
	}
	cfg, _, err := user.Config()
	if err != nil {
		return roots, append(problems, fmt.Errorf("the user's memories are not used: read %s/%s: %w", user.Shown, memdir.ConfigName, err))
	}
	roots = append(roots, user)
	others, unusable := otherRoots(cfg.Sources.Roots, roots)
	return append(roots, others...), append(problems, unusable...)
}

// RootsAt returns the Roots for what looking for the project's root at places came to. A
// question needs no project's root unless the places name one.
func RootsAt(places memdir.Places, project memdir.Root, err error) (roots []memdir.Root, problems []error, _ error) {
	if err != nil && (places.Named() || !errors.Is(err, memdir.ErrNoRoot)) {
		return nil, nil, err
	}
	roots, problems = Roots(project)
	if len(roots) > 0 {
		err = nil
	}
	return roots, problems, err
}

// otherRoots returns the roots at the paths that patterns stand for, except known ones.
// Paths without a root are skipped: a pattern may stand for any folder.
func otherRoots(patterns []string, known []memdir.Root) (others []memdir.Root, problems []error) {
	known = slices.Clone(known)
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(withHome(pattern)) // a bad pattern stands for nothing
		for _, path := range paths {
			root, err := memdir.At(path)
			if errors.Is(err, memdir.ErrNoRoot) || errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(known, root.Is) {
				continue
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("sources.roots: %w", err))
				continue
			}
			if len(others) == maxOthers {
				return others, append(problems, fmt.Errorf("sources.roots: only the first %d roots are used", maxOthers))
			}
			root.Shown, root.Scope = filepath.ToSlash(root.Path), memdir.OtherScope
			known, others = append(known, root), append(others, root)
		}
	}
	return others, problems
}

// withHome puts the home folder in the place of ~.
func withHome(path string) string {
	rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
