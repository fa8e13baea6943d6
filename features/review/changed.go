package review

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"memctl/files/gate"
	"memctl/files/git"
	"memctl/text"
)

const (
	// leastGone is the part of the lines of a file that has to be gone, those around what the memory
	// names more than the others.
	leastGone = 0.25
	// nearby is how many lines above and below a name count as around it.
	nearby = 3
	// everyFifth is the part of all commits that change a file of which a change says nothing: a
	// changelog, a lock file, what wires everything together. It counts from manyCommits on.
	everyFifth  = 0.2
	manyCommits = 50
	// mostSpecs is how many old files one run of git is asked for.
	mostSpecs = 256
)

// change is a related file that changed since its memory was made.
type change struct {
	relatedFile
	commits []int // of the log
	slight  bool  // its commits alone say nothing: they are few, or most commits change it anyway
	before  []string
	rarity  float64 // how seldom the file changes among all commits since, 1 at most
	loss    float64 // the part of its lines that is gone
	note    text.Phrase
}

// reviewChanged reports the memories whose related files do not say any more what they said: many of
// their lines are gone, above all around what the memory names. A file that most commits change
// anyway does not count. If the files lost a word of the title, or a version, somebody has to correct the
// memory; without that only a reader can tell.
func (v *reviewer) reviewChanged(ctx context.Context, t *tree, here []relatedFile) error {
	if !t.history || !v.wants(Changed) {
		return nil
	}
	var all []*change
	of := map[*memory][]*change{}
	for files := range byMemory(here) {
		changes := v.changesOf(t, files)
		of[files[0].memory], all = changes, append(all, changes...)
	}
	if err := v.readBefore(ctx, t, all); err != nil {
		return err
	}
	for files := range byMemory(here) {
		m := files[0].memory
		lost := lostWords(t, files, of[m])
		much := slices.DeleteFunc(of[m], func(c *change) bool {
			c.compare(t)
			return c.slight || c.loss < leastGone
		})
		if lost = lost.after(len(much) > 0); len(much) > 0 || len(lost) > 0 {
			v.addChanged(t, m, much, lost)
		}
	}
	return nil
}

// changesOf returns the related files of a memory that commits have changed since.
func (v *reviewer) changesOf(t *tree, files []relatedFile) (changes []*change) {
	m := files[0].memory
	if m.updated.IsZero() {
		return nil
	}
	since := sort.Search(len(t.log.commits), func(i int) bool {
		return t.log.commits[i].ID != "" && t.log.commits[i].Time <= m.updated.Unix()
	})
	own := t.log.files[path.Join(t.memory, m.path)]
	all := map[int]bool{}
	for _, f := range files {
		c := &change{relatedFile: f}
		for _, at := range t.log.files[f.path] {
			if _, saved := slices.BinarySearch(own, at); !saved && t.log.commits[at].Time > m.updated.Unix() {
				c.commits = append(c.commits, at)
			}
		}
		n := float64(len(c.commits))
		if n == 0 {
			continue
		}
		c.slight = since >= manyCommits && n > everyFifth*float64(since)
		c.rarity = math.Log(1+float64(since)/n) / math.Log(1+float64(max(since, manyCommits)))
		changes = append(changes, c)
		for _, at := range c.commits {
			if !c.slight {
				all[at] = true
			}
		}
	}
	for _, c := range changes {
		c.slight = c.slight || len(all) < v.Commits
	}
	return changes
}

// readBefore reads the files as they were when their memories were made.
func (v *reviewer) readBefore(ctx context.Context, t *tree, changes []*change) error {
	if len(changes) == 0 || len(t.branch) == 0 {
		return nil
	}
	former := map[string][]string{} // names by the present path
	for name, present := range t.log.present {
		former[present] = append(former[present], name)
	}
	for some := range slices.Chunk(changes, mostSpecs) {
		var specs []string
		var of []*change
		for _, c := range some {
			at := sort.Search(len(t.branch), func(i int) bool { return t.branch[i].Time <= c.memory.updated.Unix() })
			at = min(at, len(t.branch)-1)
			for _, name := range append(former[c.path], c.path) {
				if strings.Contains(name, "\n") {
					continue
				}
				specs, of = append(specs, t.branch[at].ID+":"+name), append(of, c)
			}
		}
		blobs, err := git.Resolve(ctx, t.project, specs)
		if err != nil {
			return ctx.Err()
		}
		with := map[string][]*change{}
		for i, f := range blobs {
			if f.Blob != "" {
				with[f.Blob] = append(with[f.Blob], of[i])
			}
		}
		if err := git.Blobs(ctx, t.project, slices.Collect(maps.Keys(with)), maxSource,
			func(id string, data []byte) error {
				for _, c := range with[id] {
					c.before = linesOf(data)
				}
				return nil
			}); err != nil {
			return ctx.Err()
		}
	}
	return nil
}

// linesOf returns the lines of a file without the white space around them.
func linesOf(data []byte) []string {
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return nil // binary
	}
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// compare counts the lines that are gone from a file, and those around what the memory names.
func (c *change) compare(t *tree) {
	if len(c.before) == 0 {
		return
	}
	data, err := gate.Place{Folder: t.Name()}.ReadNamed(gate.Name(c.path), maxSource)
	if err != nil {
		return
	}
	left := map[string]int{}
	for _, line := range linesOf(data) {
		left[line]++
	}
	around, name := c.around(t)
	var all, near struct{ removed, of int }
	for i, line := range c.before {
		left[line]--
		if len(line) <= 3 { // a bracket
			continue
		}
		n := 0
		if left[line] < 0 {
			n = 1
		}
		all.of, all.removed = all.of+1, all.removed+n
		if around[i] {
			near.of, near.removed = near.of+1, near.removed+n
		}
	}
	if all.of == 0 {
		return
	}
	part := float64(all.removed) / float64(all.of)
	const few = 4.0 // lines around a name, which alone say little
	c.loss = (float64(near.removed) + few*part) / (float64(near.of) + few)
	c.note = text.Say("%s lost %d of %s", c.name, all.removed, text.Counted(all.of, "line", "lines"))
	if near.of > 0 {
		c.note = text.Say("%s lost %d of %s around %s", c.name, near.removed, text.Counted(near.of, "line", "lines"),
			name)
	}
}

// around returns which lines are around a name that the memory has, and such a name.
func (c *change) around(t *tree) (near []bool, name string) {
	near = make([]bool, len(c.before))
	for i, line := range c.before {
		for _, word := range words([]byte(line)) {
			if t.names[c.memory][string(word)] != codeName || t.isCommon(string(word)) {
				continue
			}
			if name == "" {
				name = string(word)
			}
			for j := max(0, i-nearby); j <= min(i+nearby, len(near)-1); j++ {
				near[j] = true
			}
		}
	}
	return near, name
}

// addChanged reports a memory with those of its related files that changed much, and with their losses.
func (v *reviewer) addChanged(t *tree, m *memory, changes []*change, lost lostList) {
	slices.SortStableFunc(changes, func(a, b *change) int { return int(1000 * (b.loss*b.rarity - a.loss*a.rarity)) })
	f := Finding{Kind: Changed, Do: Read, Command: edit(m)}
	for _, l := range lost {
		f.Do, f.Commit = Correct, cmp.Or(f.Commit, l.commit)
		f.Parts, f.Evidence = append(f.Parts, l.reason()), append(f.Evidence, l.reason().String())
	}
	commits := map[int]bool{}
	log := "git log --oneline --since=" + day(m.updated) + " --"
	for i, c := range changes {
		f.Files, f.Evidence = append(f.Files, c.name), append(f.Evidence, c.note.String())
		for _, at := range c.commits {
			commits[at] = true
		}
		if i < 3 {
			log += " " + text.ShellWord(t.nameOf(c.path))
		}
	}
	if len(changes) > 0 {
		f.Weight = int(100 * changes[0].loss * changes[0].rarity)
		f.Commit, f.Command = t.log.commits[changes[0].commits[0]].ID, log
		in := text.Counted(len(commits), "commit", "commits")
		part := text.Say("%s in %s since %s", changes[0].note, in, day(m.updated))
		if n := len(changes) - 1; n > 0 {
			part = text.Say("%s, and so did %s, in %s since %s", changes[0].note,
				text.Counted(n, "more file", "more files"), in, day(m.updated))
		}
		f.Parts = append(f.Parts, part)
	}
	v.add(m, f)
}
