package retrieve

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/indexer"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// Action is the action of a tool: to write files, given by their paths below the project, with the text that it puts
// there, to read one, or to run a command line.
type Action struct {
	Files   []string
	Text    string
	Command string
	Place   string // where the tool runs below the project, "" for the project
	Reads   bool   // the files are only read: those beside do not count
}

const (
	// maxAbout is how many memories are read that may be about an action.
	maxAbout = 50
	// maxBeside is how many of these are only about a file beside one that they name.
	maxBeside = 20
	// maxCommand is how many code points of a command line are looked at.
	maxCommand = 64 << 10
)

// About returns the active memories of a root that are about an action, the most important
// first. A memory is about the files that it names, those below a folder and those that
// match a pattern, by their former names too, and about the commands that its rule, its steps
// or what it avoids quote. What stands is also about a file beside one that it names, if they
// have a word in common. Session summaries are about the past, and so are decisions
// superseded by others in the list.
func About(root files.Root, a Action) []Result {
	lines := indexer.Triggers(root)
	if bytes.Contains(lines, []byte("\n"+indexer.FileTrigger+"\t")) {
		a.Files = append(a.Files, observe.ReadFindings(root).FormerNames(a.Files)...)
	}
	act := act{Action: a, root: root, commands: commandsOf(lines, a), broad: map[string]bool{}}
	found := map[string]int{} // paths of memories, with the greatest weight that each may have
	for _, file := range a.Files {
		for at, weight := range memoriesOf(lines, file) {
			found[at] = max(found[at], weight)
		}
	}
	if len(act.commands) > 0 {
		for command, at := range triggersOf(lines, indexer.CommandTrigger, "") {
			if runs(act.commands, command) {
				found[at] = exact
			}
		}
	}
	paths := slices.SortedFunc(maps.Keys(found), func(x, y string) int {
		return cmp.Or(cmp.Compare(found[y], found[x]), strings.Compare(x, y))
	})
	var list []Result
	weights, memories, shared := map[string]int{}, map[string]*schemas.Memory{}, map[string]int{}
	for _, at := range paths {
		if len(list) == maxAbout {
			break
		}
		r, m, ok := readMemory(root, at)
		if !ok || m.RecordStatus != schemas.Active || m.Category == schemas.SessionSummary {
			continue
		}
		if m.Folder != "" && root.Scope != files.UserScope && !a.isIn(m.Folder) {
			continue
		}
		r.Severe, r.Stands = isSevere(&m, time.Now()), m.IsStandingRule()
		r.Forbids = runsAny(&m, act.commands) && m.Forbids()
		if weights[at] = act.relevance(&m, found[at] == named); weights[at] > 0 {
			list, memories[at] = append(list, r), &m
			for _, file := range a.Files {
				shared[at] = max(shared[at], act.common(file, &m))
			}
		}
	}
	list = slices.DeleteFunc(list, func(r Result) bool {
		for _, other := range memories {
			if memories[r.Path].SupersededBy(other) {
				return true
			}
		}
		return false
	})
	slices.SortStableFunc(list, func(x, y Result) int {
		return cmp.Or(
			cmp.Compare(ofFolder(*memories[y.Path]), ofFolder(*memories[x.Path])),
			cmp.Compare(weights[y.Path], weights[x.Path]),
			cmp.Compare(shared[y.Path], shared[x.Path]),
			cmp.Compare(priority(x.Category), priority(y.Category)),
		)
	})
	return list
}

// isIn reports whether an action is in a folder of the project: where the tool runs, or one of its files.
func (a Action) isIn(folder string) bool {
	return slices.ContainsFunc(append([]string{a.Place}, a.Files...), func(place string) bool {
		return strings.HasPrefix(place+"/", folder+"/")
	})
}

// ofFolder is 1 for a memory of one folder, else 0.
func ofFolder(m schemas.Memory) int { return min(1, len(m.Folder)) }

// commandsOf returns the commands of an action if any memory is about a command.
func commandsOf(lines []byte, a Action) [][]string {
	if a.Command == "" || !bytes.Contains(lines, []byte("\n"+indexer.CommandTrigger+"\t")) {
		return nil
	}
	return observe.Executed(text.Truncate(a.Command, maxCommand))
}

// triggersOf yields the triggers of a kind that begin so, with the path of the memory of each.
func triggersOf(lines []byte, kind, prefix string) iter.Seq2[string, string] {
	return func(yield func(trigger, at string) bool) {
		begin := []byte("\n" + kind + "\t" + prefix)
		for at := 0; ; {
			next := bytes.Index(lines[at:], begin)
			if next < 0 {
				return
			}
			at += next + len(begin)
			line, _, _ := bytes.Cut(lines[at:], []byte("\n"))
			trigger, memory, _ := bytes.Cut(line, []byte("\t"))
			if !yield(prefix+string(trigger), string(memory)) {
				return
			}
			at += len(line)
		}
	}
}

// memoriesOf yields the paths of the memories whose triggers match a file, and how much each is about it. To look for
// each folder above the file in all lines at once is quicker than to read the lines.
func memoriesOf(lines []byte, file string) iter.Seq2[string, int] {
	return func(yield func(at string, weight int) bool) {
		var besides []string
		for name := file; name != "."; name = path.Dir(name) {
			for trigger, at := range triggersOf(lines, indexer.FileTrigger, name) {
				weight := aboutFile(trigger, file)
				if weight == 0 && name == path.Dir(file) && path.Dir(trigger) == name {
					besides = append(besides, at)
				} else if !yield(at, weight) {
					return
				}
			}
		}
		for _, at := range besides[max(0, len(besides)-maxBeside):] { // the latest
			if !yield(at, beside) {
				return
			}
		}
		for glob, at := range triggersOf(lines, indexer.GlobTrigger, "") {
			if aboutFile(glob, file) > 0 && !yield(at, pattern) {
				return
			}
		}
		for at := range namersOf(lines, file) {
			if !yield(at, named) {
				return
			}
		}
	}
}

// namersOf yields the paths of the memories whose texts name a file.
func namersOf(lines []byte, file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		end := []byte(path.Base(file) + "\t")
		for at := max(0, bytes.Index(lines, []byte("\n"+indexer.NameTrigger+"\t"))); ; {
			next := bytes.Index(lines[at:], end)
			if next < 0 {
				return
			}
			begin := bytes.LastIndexByte(lines[:at+next], '\n') + 1
			at += next + len(end)
			kind, name, _ := strings.Cut(string(lines[begin:at-1]), "\t")
			memory, _, _ := bytes.Cut(lines[at:], []byte("\n"))
			if kind == indexer.NameTrigger && isNamed(name, file) && !yield(string(memory)) {
				return
			}
		}
	}
}

// isNamed reports whether a name in a text is that of a file, maybe without folders above it.
func isNamed(name, file string) bool { return strings.HasSuffix("/"+file, "/"+name) }

// act is an action in a project.
type act struct {
	Action
	root     files.Root
	commands [][]string
	broad    map[string]bool // related folders and patterns: whether many files match
}

// relevance says how much a memory is about an action, 0 for not at all: the file itself and a command more than a file
// that the text names, that more than a pattern, a pattern more than a folder, a folder more than a file beside one
// that it names, and what stands more than what does not.
func (a act) relevance(m *schemas.Memory, byName bool) int {
	weight, isBeside := 0, false
	for _, file := range a.Files {
		for _, related := range m.RelatedFiles {
			if w := aboutFile(related, file); w == exact || w > weight && a.isMeant(related, file, m) {
				weight = max(weight, w)
			}
			isBeside = isBeside || !a.Reads && !isAside(file) && path.Dir(path.Clean(related)) == path.Dir(file) &&
				m.IsStandingRule() && a.shares(file, m)
		}
		if byName && slices.ContainsFunc(text.FileNames(m.Title+"\n"+m.Text()), func(name string) bool {
			return isNamed(name, file)
		}) {
			weight = max(weight, named)
		}
	}
	if runsAny(m, a.commands) {
		weight = exact
	}
	switch {
	case weight > 0 && m.IsStandingRule():
		weight += exact
	case weight == 0 && isBeside:
		weight = beside
	}
	return weight
}

// runsAny reports whether one of the commands of a memory is run.
func runsAny(m *schemas.Memory, commands [][]string) bool {
	return len(commands) > 0 && slices.ContainsFunc(m.Commands(), func(code string) bool {
		return runs(commands, code)
	})
}

// maxActText is how many code points of a tool's text are compared with memories.
const maxActText = 4000

// shares reports whether a memory has a word in common with a file's name or with the text that the tool writes there.
func (a Action) shares(file string, m *schemas.Memory) bool { return a.common(path.Base(file), m) > 0 }

// common counts the words that a memory has in common with a path or with the text that the tool writes there.
func (a Action) common(file string, m *schemas.Memory) (n int) {
	words := text.Words(m.Title + "\n" + m.Text())
	actWords := text.Words(strings.NewReplacer("_", " ", "/", "\n").Replace(file) + "\n" +
		text.Truncate(a.Text, maxActText))
	slices.Sort(actWords)
	for _, word := range slices.Compact(actWords) {
		if slices.Contains(words, word) {
			n++
		}
	}
	return n
}

// isSevere reports whether a memory is a constraint of high severity that holds.
func isSevere(m *schemas.Memory, now time.Time) bool {
	c, ok := m.Content.(*schemas.ConstraintContent)
	if !ok || !m.IsStandingRule() {
		return false
	}
	ends, ok := schemas.EndOf(c.Expires)
	return !ok || now.Before(ends)
}

// readMemory reads a memory of a root.
func readMemory(root files.Root, at string) (r Result, m schemas.Memory, ok bool) {
	category, placed := schemas.CategoryOfPath(at)
	folder, name, _ := strings.Cut(at, "/")
	if !placed {
		return r, m, false
	}
	opened, err := root.OpenFolder(folder)
	if err != nil || opened == nil {
		return r, m, false
	}
	defer opened.Close()
	data, stat, err := opened.Read(name)
	if err != nil {
		return r, m, false
	}
	if m, err = schemas.Decode(data); err != nil {
		return r, m, false
	}
	m.Complete(category, strings.TrimSuffix(name, ".json"))
	r = Result{
		Entry: Entry{ID: m.ID, Path: at, Title: m.Title, Category: m.Category, Status: m.RecordStatus,
			Tags: text.Tags(m.Tags), UpdatedAt: m.UpdatedAt},
		Sentence: m.Addition(), Size: stat.Size, MtimeNS: stat.MtimeNS, Root: root,
	}
	return r, m, true
}
