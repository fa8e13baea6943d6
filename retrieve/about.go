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
	Runs    []string // files that the command line runs, below the project
	Place   string   // where the tool runs below the project, "" for the project
	Reads   bool     // the files are only read: those beside do not count
	// Added returns the lines that the tool adds to the files. It is called only if a memory forbids lines.
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
// or what it avoids quote. What stands is also about a file beside one that it names, if they
// have a word in common. Session summaries are about the past, and so are decisions
// superseded by others in the list.
func About(root files.Root, a Action) []Result {
	lines := indexer.Triggers(root)
	if bytes.Contains(lines, []byte("\n"+indexer.FileTrigger+"\t")) {
		a.Files = append(a.Files, observe.ReadFindings(root).FormerNames(a.Files)...)
	}
	act := act{Action: a, root: root, commands: commandsOf(lines, a), broad: map[string]bool{},
		words: map[string]bool{}}
	found := map[string]int{} // paths of memories, with the greatest weight that each may have
	for _, file := range slices.Concat(a.Files, a.Runs) {
		for at, weight := range memoriesOf(lines, file) {
			found[at] = max(found[at], weight)
		}
	}
	if a.Text != "" && a.Command == "" {
		for _, file := range a.Files {
			if isAside(file) {
				continue
			}
			for _, word := range text.Singular(spaced(path.Base(file)) + "\n" + spaced(text.Truncate(a.Text, maxActText))) {
				act.words[word] = true
			}
		}
		for title, at := range triggersOf(lines, indexer.TitleTrigger, "") {
			if act.writes(strings.Fields(title)) {
				found[at] = max(found[at], worded)
			}
		}
	}
	if len(act.commands) > 0 {
		for command, at := range triggersOf(lines, indexer.CommandTrigger, "") {
			if runs(act.commands, command) {
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
		r.Severe, r.Stands = isSevere(&m, time.Now()), m.IsStandingRule()
		breaksLines := act.breaks(&m)
		if r.Forbids = breaksLines || act.runs(&m, m.Forbidden()); r.Forbids {
			r.sayInstead(m.Check())
		}
		if weights[at] = act.relevance(&m, breaksLines); weights[at] > 0 {
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
	list := observe.Executed(text.Truncate(a.Command, maxCommand))
	for i := range list {
		list[i] = spelled(list[i])
	}
	return list
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

// isNamed reports whether a name in a text is that of a file, maybe without folders above it. A folder in it may be *.
func isNamed(name, file string) bool {
	if !strings.Contains(name, "*") {
		return strings.HasSuffix("/"+file, "/"+name)
	}
	re, err := Pattern("**/" + name)
	return err == nil && re.MatchString(file)
}

// act is an action in a project.
type act struct {
	Action
	root     files.Root
	commands [][]string
	added    []string        // lines, once they are asked for
	broad    map[string]bool // related folders and patterns: whether many files match
	words    map[string]bool // of the text that the tool writes, and of the names of files
}

// relevance says how much a memory is about an action, 0 for not at all: the file itself and a command more than a file
// that the text names, that more than a pattern, a pattern more than a folder, a folder more than a file beside one
// that it names, and what stands more than what does not. Of a file that is run, only the file itself and its name
// count.
func (a act) relevance(m *schemas.Memory, breaksLines bool) int {
	weight, isBeside, said := 0, false, m.Title+"\n"+m.Text()
	names, related := text.FileNames(said), m.RelatedFiles
	if m.IsStandingRule() {
		related = slices.Concat(related, text.FolderNames(said))
	}
	isNamedBy := func(file string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return isNamed(name, file) })
	}
	for _, file := range a.Files {
		for _, related := range related {
			if w := aboutFile(related, file); w == exact || w > weight && a.isMeant(related, file, m) {
				weight = max(weight, w)
			}
		}
		for _, related := range m.RelatedFiles {
			isBeside = isBeside || !a.Reads && !isAside(file) && path.Dir(path.Clean(related)) == path.Dir(file) &&
				m.IsStandingRule() && a.meets(file, "", m)
		}
		if isNamedBy(file) && (!isStep(said, m) || a.meets(file, "", m)) {
			weight = max(weight, named)
		}
	}
	isRun := slices.ContainsFunc(a.Runs, func(file string) bool {
		return slices.Contains(m.RelatedFiles, file) || isNamedBy(file)
	})
	isRun = isRun || a.runs(m, m.Commands())
	if breaksLines || isRun && (len(m.Forbidden()) > 0 && a.runs(m, m.Forbidden()) || !a.doesWanted(m)) {
		weight = exact
	}
	switch {
	case weight > 0 && m.IsStandingRule():
		weight += exact
	case weight == 0 && isBeside:
		weight = beside
	case weight == 0 && m.Category != schemas.Runbook && a.writes(text.Singular(m.Title)):
		weight = worded
	}
	return weight
}

// runs reports whether one of some commands of a memory is run, and neither one that the memory wants instead, nor only
// to ask, by an option of which the memory does not speak.
func (a act) runs(m *schemas.Memory, codes []string) bool {
	wanted := m.Wanted()
	return slices.ContainsFunc(a.commands, func(command []string) bool {
		return slices.ContainsFunc(codes, func(code string) bool {
			return runs([][]string{command}, code) && !slices.ContainsFunc(wanted, func(other string) bool {
				return a.does(command, other) && !runs(spelledIn(code), other)
			})
		}) && !onlyAsks(command, m)
	})
}

// does reports whether a command is one that a memory wants, or has the option that it wants.
func (a act) does(command []string, wanted string) bool {
	if strings.HasPrefix(wanted, "-") {
		return slices.Contains(command, wanted)
	}
	variable, _, found := strings.Cut(wanted, "=")
	return runs([][]string{command}, wanted) && (!found || strings.Contains(variable, " ") ||
		strings.Contains(a.Command, variable+"="))
}

// doesWanted reports whether something that a memory wants is run.
func (a act) doesWanted(m *schemas.Memory) bool {
	return slices.ContainsFunc(m.Wanted(), func(code string) bool {
		return strings.Contains(a.Command, code) || slices.ContainsFunc(a.commands, func(command []string) bool {
			return a.does(command, code)
		})
	})
}

// maxActText is how many code points of a tool's text are compared with memories.
const maxActText = 4000

// isStep reports whether the files that a memory names are those of steps, which name many: of a runbook, unless it
// says itself that it is about their change.
func isStep(said string, m *schemas.Memory) bool {
	return m.Category == schemas.Runbook && !slices.ContainsFunc(text.Sentences(said), text.ComesBefore)
}

// meets reports whether half of the words of a memory's title are in the name of a file or in what the tool writes
// there. Those of the folder say nothing.
func (a Action) meets(file, folder string, m *schemas.Memory) bool {
	ofFolder := text.Singular(spaced(folder))
	words := text.Singular(spaced(strings.TrimSuffix(path.Base(file), path.Ext(file))) + "\n" +
		text.Truncate(a.Text, maxActText))
	n, all := 0, 0
	for _, word := range text.Singular(m.Title) {
		if !slices.Contains(ofFolder, word) {
			all++
			if slices.Contains(words, word) {
				n++
			}
		}
	}
	return n > 0 && 2*n >= all
}

// writes reports whether the text that a tool writes is about the subject of a memory: it has half of the words of the
// title, and at least three.
func (a act) writes(title []string) bool {
	n := 0
	for _, word := range title {
		if a.words[word] {
			n++
		}
	}
	return n >= indexer.LeastOfTitle && 2*n >= len(title)
}

// spaced returns a path with a space between its words.
func spaced(path string) string {
	return strings.NewReplacer("_", " ", "-", " ", ".", " ", "/", "\n").Replace(path)
}

// common counts the words that a memory has in common with a path or with the text that the tool writes there.
func (a Action) common(file string, m *schemas.Memory) (n int) {
	words := text.Words(m.Title + "\n" + m.Text())
	actWords := text.Words(spaced(file) + "\n" + text.Truncate(a.Text, maxActText))
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
