package retrieve

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"memctl/files"
	"memctl/indexer"
	"memctl/schemas"
	"memctl/text"
)

// act is an action in a project.
type act struct {
	Action
	root     files.Root
	commands [][]string
	added    []string        // lines, once they are asked for
	broad    map[string]bool // related folders and patterns: whether many files match
	written  map[string]bool // the words of what the tool writes
}

// relevance says how much a memory is about an action, 0 for not at all: the file itself and a command more than a file
// that the text names, that more than a pattern, a pattern more than a folder, a folder more than a file beside one
// that it names, and what stands more than what does not. Of a file that is run, only the file itself and its name
// count. A memory that forbids the action is about it whatever it wants instead.
func (a *act) relevance(m *schemas.Memory, code text.Coded, forbids bool) int {
	weight, isBeside, said := 0, false, m.Title+"\n"+m.Text()
	names, folders := text.Names(said)
	related := m.RelatedFiles
	if m.IsStandingRule() {
		related = slices.Concat(related, folders)
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
	isRun = isRun || a.runs(m, code, code.About())
	if forbids || slices.ContainsFunc(code.Forbidden, a.adds) || isRun && !a.doesWanted(code) {
		weight = exact
	}
	switch {
	case weight > 0 && m.IsStandingRule():
		weight += exact
	case weight == 0 && isBeside:
		weight = beside
	case weight == 0 && m.Category != schemas.Runbook &&
		a.writes(bytes.FieldsSeq([]byte(strings.Join(text.Singular(m.Title), " ")))):
		weight = worded
	}
	return weight
}

// runs reports whether one of some commands of a memory is run, and neither one that the memory wants instead, nor only
// to ask, by an option of which the memory does not speak.
func (a act) runs(m *schemas.Memory, c text.Coded, codes []string) bool {
	return slices.ContainsFunc(a.commands, func(command []string) bool {
		return slices.ContainsFunc(codes, func(code string) bool {
			return runs([][]string{command}, code) && !slices.ContainsFunc(c.Wanted, func(other string) bool {
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
func (a act) doesWanted(c text.Coded) bool {
	return slices.ContainsFunc(c.Wanted, func(code string) bool {
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
func (a act) meets(file, folder string, m *schemas.Memory) bool {
	name, ofFolder := text.Singular(spaced(strings.TrimSuffix(path.Base(file), path.Ext(file)))),
		text.Singular(spaced(folder))
	n, all := 0, 0
	for _, word := range text.Singular(m.Title) {
		if slices.Contains(ofFolder, word) {
			continue
		}
		all++
		if a.written[word] || slices.Contains(name, word) {
			n++
		}
	}
	return n > 0 && 2*n >= all
}

// writes reports whether what the tool writes is about the subject of a memory: it has half of the words of the title,
// and at least three. It is not asked of tests.
func (a act) writes(title iter.Seq[[]byte]) bool {
	n, all := 0, 0
	for word := range title {
		all++
		if a.written[string(word)] {
			n++
		}
	}
	return n >= indexer.LeastOfTitle && 2*n >= all && a.Command == "" && !slices.ContainsFunc(a.Files, isAside)
}

// adds reports whether an edit adds some code. Tests and documents may say it.
func (a *act) adds(code string) bool {
	isSaid := func(file string) bool { return isAside(file) || slices.Contains(documents, path.Ext(file)) }
	return a.Command == "" && !a.Reads && (a.Text == "" || strings.Contains(a.Text, code)) &&
		!slices.ContainsFunc(a.Files, isSaid) && CodeLine(a.addedLines(), code) >= 0
}

// documents are the extensions of files of prose.
var documents = []string{".md", ".mdx", ".rst", ".adoc", ".txt"}

// CodeLine returns the first line that has some code, not as a part of a longer word, -1 for none. Code of nothing but
// letters is a word of prose, too.
func CodeLine(lines []string, code string) int {
	isLetter := func(s string) bool { return len(s) == 1 && strings.Trim(s, wordSigns) == "" }
	if strings.Trim(code, wordSigns) == "" {
		return -1
	}
	return slices.IndexFunc(lines, func(line string) bool {
		before, after, found := strings.Cut(line, code)
		return found && !(isLetter(before[max(0, len(before)-1):]) && isLetter(code[:1])) &&
			!(isLetter(after[:min(1, len(after))]) && isLetter(code[len(code)-1:]))
	})
}

const wordSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// spaced returns a path with a space between its words.
func spaced(path string) string { return inPath.Replace(path) }

var inPath = strings.NewReplacer("_", " ", "-", " ", ".", " ", "/", "\n")

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
