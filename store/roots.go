package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// maxOthers is how many roots sources.roots adds at most.
const maxOthers = 16

// rootsOf returns the memory roots that questions in a project are asked of: the project's,
// the user's, and those that the user's configuration names (sources.roots). The project's
// has no Path if there is none. The first root is the one whose settings count. A root is
// in the list once: a project that keeps its memories in the user's root has none of its
// own. The problems say why a root is not in the list. The user's configuration is returned too.
func rootsOf(project files.Root) (roots []files.Root, cfg schemas.Config, problems []error) {
	user, exists, err := files.UserRoot()
	if err != nil {
		problems = append(problems, fmt.Errorf("the user's memories are not used: %w", err))
	}
	if project.Path != "" && project.Path != user.Path {
		roots = append(roots, project)
	}
	if !exists {
		return roots, cfg, problems
	}
	if cfg, _, err = user.Config(); err != nil {
		return roots, cfg, append(problems, fmt.Errorf("the user's memories are not used: read %s/%s: %w", user.Shown,
			files.ConfigName, err))
	}
	roots = append(roots, user)
	others, unusable := otherRoots(cfg.Sources.Roots, roots)
	return append(roots, others...), cfg, append(problems, unusable...)
}

// Roots returns the roots that a question is asked of, the one whose settings count first. It
// needs no project's root unless Places name one. It warns of roots that cannot be used.
func (s *Store) Roots() ([]files.Root, error) {
	project, err := s.Root()
	if s.Alone {
		return []files.Root{project}, err
	}
	if err != nil && (s.Places.Named() || !errors.Is(err, files.ErrNoRoot)) {
		return nil, err
	}
	if s.asked == nil {
		var user schemas.Config
		var problems []error
		s.asked, user, problems = rootsOf(project)
		s.user = &user
		s.warnEach(problems)
		s.addNotes(project, user.Sources.Notes != schemas.LeaveNotes)
	}
	if len(s.asked) == 0 {
		return nil, err
	}
	return s.asked, nil
}

// addNotes adds the root of a client's notes on the project to those that a question is asked
// of. They are a source beside memories, so there has to be another root.
func (s *Store) addNotes(project files.Root, wanted bool) {
	if s.Notes == nil || len(s.asked) == 0 {
		return
	}
	folder := project.Project
	switch {
	case project.Shown == files.RootPath:
	case len(s.Folders) > 0:
		folder = s.Folders[0]
	default:
		folder = cmp.Or(s.Places.ProjectDir, s.Places.Cwd, ".")
	}
	cfg, err := s.Config(s.asked[0])
	if err != nil {
		if errors.Is(err, syscall.EIO) { // which may be over before whoever asks reads it too
			s.warn(fmt.Errorf("the notes of Claude Code are not used: %w", err))
		}
		return
	}
	notes, err := s.Notes(folder, wanted, cfg)
	if err != nil {
		s.warn(fmt.Errorf("the notes of Claude Code are not all used: %w", err))
	}
	if notes.Path != "" {
		s.asked = append(s.asked, notes)
	}
}

// ForPrompt returns the roots that a prompt of the project is asked of, with the settings of the
// first: with retrieval.user_share 0 those whose memories are about the project.
func ForPrompt(roots []files.Root, cfg schemas.Config) []files.Root {
	if cfg.Retrieval.UserShare > 0 {
		return roots
	}
	return Unshared(roots)
}

// Unshared leaves out the roots whose memories are not about the project.
func Unshared(roots []files.Root) []files.Root {
	first := roots[0]
	return slices.DeleteFunc(slices.Clone(roots), func(r files.Root) bool {
		return !r.Is(first) && r.Scope != files.NotesScope
	})
}

// otherRoots returns the roots at the paths that patterns stand for, except known ones.
// Paths without a root are skipped: a pattern may stand for any folder. Of the roots that it
// matches, those count that the user has opened or confirmed; another may be a clone.
func otherRoots(patterns []string, known []files.Root) (others []files.Root, problems []error) {
	for _, pattern := range patterns {
		matching, unusable := rootsAt(pattern, slices.Concat(known, others))
		problems = append(problems, unusable...)
		if strings.ContainsAny(pattern, "*?[") && len(matching) > 0 {
			opened, err := files.Known(matching)
			if err != nil {
				problems = append(problems, fmt.Errorf("sources.roots: %w", err))
			}
			unopened := slices.DeleteFunc(matching, func(r files.Root) bool {
				return slices.ContainsFunc(opened, r.Is)
			})
			if len(unopened) > 0 {
				problems = append(problems, fmt.Errorf("sources.roots: %s matches %s that you never opened, such as "+
					"%s; "+
					"\"memctl roots add PATH\" confirms one",
					pattern, text.Plural(len(unopened), "root", "roots"), unopened[0].Path))
			}
			matching = opened
		}
		for _, root := range matching {
			if len(others) == maxOthers {
				return others, append(problems, fmt.Errorf("sources.roots: only the first %d roots are used",
					maxOthers))
			}
			root.Shown, root.Scope = filepath.ToSlash(root.Path), files.OtherScope
			others = append(others, root)
		}
	}
	return others, problems
}

// rootsAt returns the roots that a pattern stands for, except known ones.
func rootsAt(pattern string, known []files.Root) (roots []files.Root, problems []error) {
	paths, _ := filepath.Glob(WithHome(pattern)) // a bad pattern stands for nothing
	for _, path := range paths {
		root, err := files.At(path)
		switch {
		case errors.Is(err, files.ErrNoRoot), errors.Is(err, fs.ErrNotExist):
		case err != nil:
			problems = append(problems, fmt.Errorf("sources.roots: %w", err))
		case !slices.ContainsFunc(slices.Concat(known, roots), root.Is):
			roots = append(roots, root)
		}
	}
	return roots, problems
}

// WithHome puts the home folder in the place of ~.
func WithHome(path string) string {
	rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~")
	home, err := os.UserHomeDir()
	if !ok || err != nil || rest != "" && rest[0] != '/' {
		return path
	}
	return filepath.Join(home, filepath.FromSlash(rest))
}
