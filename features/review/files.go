package review

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"memctl/files/gate"
	"memctl/files/git"
	"memctl/retrieve"
	"memctl/text"
)

// relatedFile is a related file of a memory.
type relatedFile struct {
	memory *memory
	name   string // as the memory names it
	path   string // from the top of the working tree, or of a project without git
	// pattern is nil for a single file or folder.
	pattern *pattern
}

// lineSuffix matches the additions of people to the name of a file: a line, or an anchor.
const lineSuffix = ":#"

// manyFiles is how many related files are not missing by chance.
const manyFiles = 10

// reviewFiles finds related files that are gone or renamed, and those that changed much.
func (v *reviewer) reviewFiles(ctx context.Context) error {
	if !v.wants(Renamed, Missing, Vanished, Changed) {
		return nil
	}
	tree, err := v.openTree(ctx)
	if err != nil {
		return err
	}
	defer tree.Close()
	here, missing := tree.find(v.memories)
	ask := tree.git && (len(missing) > 0 || len(here) > 0 && v.wants(Changed) || v.wants(Vanished) && v.namesCode())
	if ask {
		if err := tree.readTracked(ctx); err != nil {
			return err
		}
		missing = tree.withoutMatching(ctx, missing)
		if err := tree.findKept(ctx, missing); err != nil {
			return err
		}
	}
	if ask && tree.history {
		if err := v.readHistory(ctx, tree, missing); err != nil {
			return err
		}
	}
	if len(here) == 0 && len(missing) >= manyFiles {
		v.note("none of the related files exist: these may be memories of another project")
	}
	renamed := v.reportGone(tree, missing) // what --fix makes of them counts already
	here = append(here, renamed...)
	slices.SortStableFunc(here, func(a, b relatedFile) int { return strings.Compare(a.memory.path, b.memory.path) })
	if tree.history && v.wants(Vanished, Changed) {
		if err := v.readNames(ctx, tree); err != nil {
			return err
		}
	}
	if err := v.reviewChanged(ctx, tree, here); err != nil {
		return err
	}
	return v.reviewVanished(ctx, tree)
}

// tree is the working tree, or the project's folder if there is none.
type tree struct {
	*gate.Dir
	project string // the project's folder
	prefix  string // of the project in the tree, "" or with a slash at its end
	memory  string // the memory root in the tree, "" if it lies elsewhere
	git     bool   // it is one of git
	history bool   // git has commits
	log     *log
	commits []git.Commit // without merges, the last first
	branch  []git.Commit // those of the branch itself
	tracked map[string]trackedFile
	names   map[*memory]codeNames
	// standing counts the files that have an identifier of names.
	standing map[string]int
	// kept are missing files that are not gone: git ignores them, or does not check them out. Those in elsewhere
	// are on another branch.
	kept, elsewhere map[string]bool
	// unstaged are files that are only missing from the working tree.
	unstaged map[string]bool
}

// trackedFile is a file of the project that git tracks.
type trackedFile struct {
	mode    string
	skipped bool // by a sparse checkout
}

// readTracked lists the files that git tracks, but for memories. If git fails, there are none.
func (t *tree) readTracked(ctx context.Context) error {
	t.tracked = map[string]trackedFile{}
	_ = git.Entries(ctx, t.Name(), maxTime, func(words []string, p string) error {
		if len(words) > 1 && (t.memory == "" || !strings.HasPrefix(p, t.memory+"/")) {
			t.tracked[p] = trackedFile{words[1], words[0] == "S"}
		}
		return nil
	}, "ls-files", "--stage", "-t")
	return ctx.Err()
}

// isWhole reports whether the tree has all files that git tracks.
func (t *tree) isWhole() bool {
	for _, f := range t.tracked {
		if f.skipped {
			return false
		}
	}
	return len(t.tracked) > 0
}

// openTree finds the tree of the project, and notes why git's history is not read.
func (v *reviewer) openTree(ctx context.Context) (*tree, error) {
	t := &tree{project: v.root.Project, log: newLog(), kept: map[string]bool{}, elsewhere: map[string]bool{},
		unstaged: map[string]bool{}}
	if resolved, err := filepath.EvalSymlinks(t.project); err == nil {
		t.project = resolved
	}
	top := t.project
	if !v.NoGit {
		err := git.CheckCommits(ctx, t.project)
		if err == nil || errors.Is(err, git.ErrNoCommits) {
			if prefix, prefixErr := git.Prefix(ctx, t.project); prefixErr == nil {
				t.prefix, t.git = prefix, true
				top = filepath.Clean(strings.TrimSuffix(t.project+"/", filepath.FromSlash(prefix)))
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.history = err == nil
		if err != nil {
			v.note("renames and changes of related files are unknown: %s", text.Printable(err.Error()))
		}
	}
	if below, err := filepath.Rel(top, v.root.Path); err == nil && filepath.IsLocal(below) {
		t.memory = filepath.ToSlash(below)
	}
	var err error
	t.Dir, err = gate.Enter(top)
	return t, err
}

// find returns the related files that are in the tree, and those that are not.
func (t *tree) find(memories []*memory) (here, missing []relatedFile) {
	found := map[string]bool{}
	for _, m := range memories {
		for _, name := range m.RelatedFiles {
			p, ok := t.pathOf(name)
			if !ok {
				continue
			}
			if _, known := found[p]; !known {
				found[p] = !strings.ContainsAny(p, "*?") && t.has(p)
			}
			if !found[p] {
				if bare := p[:len(p)-len(suffixOf(p))]; bare != p && t.has(bare) {
					p, found[bare] = bare, true
				}
			}
			f := relatedFile{m, name, p, nil}
			if found[p] {
				here = append(here, f)
				continue
			}
			if f.pattern = t.newPattern(p); t.git || !retrieve.IsPattern(p) {
				missing = append(missing, f)
			}
		}
	}
	return here, missing
}

// suffixOf returns the line or the anchor at the end of a name.
func suffixOf(name string) string {
	if i := strings.IndexAny(path.Base(name), lineSuffix); i > 0 {
		return path.Base(name)[i:]
	}
	return ""
}

// pathOf returns the path in the tree of a related file. It is false for what lies
// elsewhere and for what is no path, such as an address.
func (t *tree) pathOf(name string) (string, bool) {
	slashed := filepath.ToSlash(strings.TrimSpace(name))
	switch {
	case slashed == "", strings.Contains(slashed, "://"), strings.HasPrefix(slashed, "~"),
		strings.ContainsAny(slashed, "\x00\n"):
		return "", false
	case filepath.IsAbs(slashed):
		rel, err := filepath.Rel(t.project, filepath.Clean(slashed))
		if err != nil {
			return "", false
		}
		slashed = filepath.ToSlash(rel)
	}
	p := path.Clean(t.prefix + slashed)
	return p, p != "." && filepath.IsLocal(filepath.FromSlash(p))
}

// has reports whether the tree has a file or a folder. One that cannot be examined counts
// as present.
func (t *tree) has(p string) bool {
	_, err := t.LstatNamed(gate.Name(p))
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// nameOf returns the name that a memory would give a path of the tree.
func (t *tree) nameOf(p string) string {
	rel, err := filepath.Rel("/"+t.prefix, "/"+p)
	if err != nil {
		return p
	}
	return filepath.ToSlash(rel)
}

// reportGone reports each related file that is renamed, and the memories whose related
// files are gone. It returns those that are renamed, with their present paths.
func (v *reviewer) reportGone(t *tree, missing []relatedFile) (renamed []relatedFile) {
	for files := range byMemory(missing) {
		var names []string
		var reasons []text.Phrase
		last := ""
		for _, f := range files {
			p := f.path
			fate, known := t.log.fate(p, t.has)
			if suffix := suffixOf(p); !known && suffix != "" {
				p = p[:len(p)-len(suffix)]
				fate, known = t.log.fate(p, t.has)
			}
			if !known && f.pattern != nil {
				fate, known = t.log.patternFate(f.pattern)
			}
			f.memory.missing = append(f.memory.missing, f.name)
			if known && fate.to != "" {
				to := t.nameOf(fate.to) + f.path[len(p):]
				v.keepFile(f.memory, f.name, to, fate, known)
				renamed = append(renamed, relatedFile{f.memory, f.name, fate.to, nil})
				v.add(f.memory, Finding{Kind: Renamed, Files: []string{f.name}, RenamedTo: to, Commit: fate.commit.ID,
					Weight:  fate.similar,
					Parts:   why("%s is now %s (%s)", f.name, to, shown(fate.commit)),
					Command: "memctl review " + text.ShellWord(f.memory.name) + " --only renamed --fix"})
			} else if !t.kept[p] && (known || t.unstaged[p] || !t.elsewhere[p] && !t.log.shallow) {
				v.keepFile(f.memory, f.name, "", fate, known)
				names, reasons = append(names, f.name), append(reasons, t.goneReason(f, p, fate, known))
				last = cmp.Or(last, fate.commit.ID)
			}
		}
		if len(names) > 0 {
			v.add(files[0].memory, Finding{Kind: Missing, Files: names, Commit: last, Weight: len(names),
				Parts: reasons, Command: edit(files[0].memory)})
		}
	}
	return renamed
}

// goneReason says why a related file is gone, at a path at which git may know it.
func (t *tree) goneReason(f relatedFile, p string, fate end, known bool) text.Phrase {
	name := f.name
	switch {
	case known && f.pattern != nil:
		return text.Say("%s matches no file any more (%s)", name, shown(fate.commit))
	case f.pattern != nil:
		return text.Say("%s matches no file", name)
	case known:
		return text.Say("%s was deleted (%s)", name, shown(fate.commit))
	case t.unstaged[p]:
		return text.Say("%s is gone from the working tree, and the change is not committed", name)
	case t.log.whole:
		return text.Say("%s does not exist, and no commit has it", name)
	}
	return text.Say("%s does not exist", name)
}

// byMemory yields the related files of each memory.
func byMemory(files []relatedFile) iter.Seq[[]relatedFile] {
	return func(yield func([]relatedFile) bool) {
		for len(files) > 0 {
			n := slices.IndexFunc(files, func(f relatedFile) bool { return f.memory != files[0].memory })
			if n < 0 {
				n = len(files)
			}
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}
