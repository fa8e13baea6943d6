package review

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/files/git"
	"memctl/text"
)

// maxSource limits what is read of a file of the project, in bytes: longer ones are generated.
const maxSource = 1 << 20

// prose matches files that tell of code and are none: what they still name may be long gone.
func prose(name string) bool {
	return slices.Contains(proseEndings, strings.ToLower(path.Ext(name)))
}

var proseEndings = []string{".md", ".mdx", ".rst", ".adoc", ".txt", ".svg", ".ipynb"}

// removal is the last time that a line with a name went.
type removal struct {
	git.Commit
	use use // of the name in that line
}

// reviewVanished finds memories whose text names code that was there when they were
// written and is nowhere now. What a document still names, and what never was in the
// project, does not count. An imported memory was written at the date of its source.
func (v *reviewer) reviewVanished(ctx context.Context, t *tree) error {
	if !t.isWhole() || !v.wants(Vanished) {
		return nil
	}
	least := map[string]use{} // how the last line with an identifier had to have it
	oldest := v.Now
	for m, names := range t.names {
		for name, kind := range names {
			switch {
			case kind == pathName || t.standing[name] > 0:
				continue
			case kind == wordName:
				least[name] = declared
			default:
				least[name] = max(least[name], used)
			}
			if m.updated.Before(oldest) {
				oldest = m.updated
			}
		}
	}
	removed, err := v.readRemovals(ctx, t, t.commitsSince(oldest), least)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		v.note("not all commits were searched for names that are gone: %v", err)
	}
	standing, missing := byEnding(maps.Keys(t.tracked)), byEnding(maps.Keys(t.log.fates))
	for _, m := range v.memories {
		type lostName struct {
			name   string
			reason text.Phrase
			removal
		}
		var names []lostName
		for name, kind := range t.names[m] {
			if kind != pathName {
				r, ok := removed[name]
				if ok && r.Time > m.updated.Unix() {
					names = append(names, lostName{name, text.Say("%s no longer occurs in the code (%s)", name,
						shown(r.Commit)), r})
				}
				continue
			}
			last, ok := t.lostPath(name, standing, missing)
			if !ok || last.commit.Time <= m.updated.Unix() || slices.Contains(m.RelatedFiles, name) {
				continue
			}
			use := filed
			if prose(name) {
				use = mentioned
			}
			reason := text.Say("%s was deleted (%s)", name, shown(last.commit))
			if last.to != "" {
				reason = text.Say("%s is now %s (%s)", name, t.nameOf(last.to), shown(last.commit))
			}
			names = append(names, lostName{name, reason, removal{last.commit, use}})
		}
		if len(names) == 0 {
			continue
		}
		// files with code, then what is surely the project's own, documents last
		slices.SortFunc(names, func(a, b lostName) int {
			return cmp.Or(cmp.Compare(b.use, a.use), strings.Compare(a.name, b.name))
		})
		f := Finding{Kind: Vanished, Command: edit(m), Weight: len(names), Commit: names[0].ID}
		stated := namesOf(m.Title + "\n" + m.sentence)
		if len(names) < t.standingNames(m) && len(m.origins) > 0 &&
			!slices.ContainsFunc(names, func(n lostName) bool { return stated[n.name] != 0 }) {
			f.Do = Read // an example in a record, as far as words tell
		}
		for _, n := range names {
			f.Names, f.Parts = append(f.Names, n.name), append(f.Parts, n.reason)
		}
		v.add(m, f)
	}
	return nil
}

// namesCode reports whether a memory names code.
func (v *reviewer) namesCode() bool {
	return slices.ContainsFunc(v.memories, func(m *memory) bool { return !m.updated.IsZero() && len(namesIn(m)) > 0 })
}

// readNames finds the names of code in memories, and counts the files of the project that have each
// identifier.
func (v *reviewer) readNames(ctx context.Context, t *tree) error {
	t.names, t.standing = map[*memory]codeNames{}, map[string]int{}
	wanted := map[string]bool{}
	for _, m := range v.memories {
		if m.updated.IsZero() {
			continue
		}
		t.names[m] = namesIn(m)
		for name, kind := range t.names[m] {
			wanted[name] = kind != pathName
		}
	}
	for name := range t.tracked {
		if len(wanted) == 0 || prose(name) {
			continue
		}
		file, size, err := gate.OpenIn(t.Dir, filepath.FromSlash(name))
		if err != nil {
			continue // it is gone, a link or a submodule
		}
		data, err := gate.ReadLimited(file, maxSource)
		file.Close()
		if err != nil || size > maxSource {
			continue
		}
		seen := map[string]bool{}
		for _, word := range words(data) {
			if wanted[string(word)] && !seen[string(word)] {
				seen[string(word)] = true
				t.standing[string(word)]++
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// standingNames counts the names of code in a memory that the code still has.
func (t *tree) standingNames(m *memory) (n int) {
	for name, kind := range t.names[m] {
		if kind == codeName && t.standing[name] > 0 {
			n++
		}
	}
	return n
}

// isCommon reports whether so many files have an identifier that it says little about each.
func (t *tree) isCommon(name string) bool {
	const many, part = 20, 20
	return t.standing[name] > max(many, len(t.tracked)/part)
}

// readRemovals finds the last commit that removed a line that has one of the names as it has to.
func (v *reviewer) readRemovals(
	ctx context.Context, t *tree, commits []git.Commit, least map[string]use,
) (map[string]removal, error) {
	removed := map[string]removal{}
	if len(least) == 0 {
		return removed, nil
	}
	pathspecs := []string{"."}
	for _, ending := range proseEndings {
		pathspecs = append(pathspecs, ":(exclude,icase,top)*"+ending)
	}
	if t.memory != "" {
		pathspecs = append(pathspecs, ":(exclude,top,literal)"+t.memory)
	}
	step, end := v.progress(len(commits))
	defer end()
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	return removed, git.RemovedLines(limited, t.Name(), commits, maxSource, step, func(c git.Commit, line []byte) bool {
		for start, word := range words(line) {
			minimum, ok := least[string(word)]
			if _, known := removed[string(word)]; !ok || known {
				continue
			}
			if how := useOf(line, start, start+len(word)); how >= minimum {
				removed[string(word)] = removal{c, how}
			}
		}
		return len(removed) < len(least)
	}, pathspecs...)
}

// byEnding groups paths by the name of their file.
func byEnding(paths iter.Seq[string]) map[string][]string {
	groups := map[string][]string{}
	for p := range paths {
		groups[path.Base(p)] = append(groups[path.Base(p)], p)
	}
	return groups
}

// lostPath follows a path that a text names, whole or only by its end, to what became of the
// one file that had it. Nothing became of it while a file has it.
func (t *tree) lostPath(p string, standing, missing map[string][]string) (end, bool) {
	p = path.Clean(p)
	if t.has(p) || t.has(t.prefix+p) {
		return end{}, false
	}
	ends := func(file string) bool { return file == p || strings.HasSuffix(file, "/"+p) }
	if slices.ContainsFunc(standing[path.Base(p)], ends) {
		return end{}, false
	}
	var at []string
	for _, file := range missing[path.Base(p)] {
		if ends(file) {
			at = append(at, file)
		}
	}
	switch {
	case len(at) == 1:
		return t.log.fate(at[0], t.has)
	case len(at) == 0 && strings.Contains(p, "/"):
		return t.log.fate(t.prefix+p, t.has) // perhaps a folder
	}
	return end{}, false
}
