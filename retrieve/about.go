package retrieve

import (
	"bytes"
	"cmp"
	"maps"
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
	Runs    []string // files that the command line runs, below the project
	Place   string   // where the tool runs below the project, "" for the project
	Reads   bool     // the files are only read: those beside do not count
	Asked   bool     // somebody asks about a change: for a large folder some words in common are enough
	// Added returns the lines that the tool adds to the files. It is called only if a memory forbids lines, or
	// code that Text has.
	Added func() []string
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
// or what it avoids quote. What stands is also about a folder that its text names, and about a file beside one that it
// names if they have words in common; any but a runbook is about what is written in the words of its title. Session
// summaries are about the past, and so are decisions superseded by others in the list.
func About(root files.Root, a Action) []Result {
	lines := indexer.Triggers(root)
	if bytes.Contains(lines, []byte("\n"+indexer.FileTrigger+"\t")) {
		a.Files = append(a.Files, observe.ReadFindings(root).FormerNames(a.Files)...)
	}
	act := act{Action: a, root: root, commands: commandsOf(lines, a), broad: map[string]bool{},
		written: a.words()}
	found := map[string]int{} // paths of memories, with the greatest weight that each may have
	for _, file := range slices.Concat(a.Files, a.Runs) {
		for at, weight := range memoriesOf(lines, file) {
			found[at] = max(found[at], weight)
		}
	}
	if a.Command == "" && len(act.written) > 0 {
		for title, at := range linesOf(indexer.Titles(root), indexer.TitleTrigger, "") {
			if act.writes(bytes.FieldsSeq(title)) {
				found[string(at)] = max(found[string(at)], worded)
			}
		}
	}
	if len(act.commands)+len(act.written) > 0 {
		for code, at := range triggersOf(lines, indexer.CommandTrigger, "") {
			if len(act.commands) > 0 && runs(act.commands, code) || act.adds(code) {
				found[at] = exact
			}
		}
	}
	for at := range act.forbidders(lines) {
		found[at] = exact
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
		r.Sentence = m.Addition()
		r.Severe, r.Stands = isSevere(&m, time.Now()), m.IsStandingRule()
		code := m.Code()
		breaks := act.breaks(&m)
		forbids := breaks || act.runs(&m, code, code.Forbidden)
		if forbids {
			r.sayInstead(m.Check())
		}
		r.Forbids = breaks || forbids && act.runs(&m, code, code.Always())
		if weights[at] = act.relevance(&m, code, forbids); weights[at] > 0 {
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
	if at := slices.IndexFunc(list, func(r Result) bool { return weights[r.Path] == worded }); at >= 0 {
		list = list[:at+1] // one at most, which is the last
	}
	return list
}

// words returns the words of what an edit writes.
func (a Action) words() map[string]bool {
	words := map[string]bool{}
	if len(a.Files) > 0 {
		for _, word := range text.Singular(spaced(text.Truncate(a.Text, maxActText))) {
			words[word] = true
		}
	}
	return words
}

// isIn reports whether an action is in a folder of the project: where the tool runs, or one of its files.
func (a Action) isIn(folder string) bool {
	return slices.ContainsFunc(append([]string{a.Place}, a.Files...), func(place string) bool {
		return strings.HasPrefix(place+"/", folder+"/")
	})
}

// ofFolder is 1 for a memory of one folder, else 0.
func ofFolder(m schemas.Memory) int { return min(1, len(m.Folder)) }

// isSevere reports whether a memory is a constraint of high severity that holds.
func isSevere(m *schemas.Memory, now time.Time) bool {
	c, ok := m.Content.(*schemas.ConstraintContent)
	if !ok || !m.IsStandingRule() {
		return false
	}
	ends, ok := schemas.EndOf(c.Expires)
	return !ok || now.Before(ends)
}

// readMemory reads a memory of a root. The result has no sentence.
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
		Size: stat.Size, MtimeNS: stat.MtimeNS, Root: root,
	}
	return r, m, true
}
