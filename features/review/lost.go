package review

import (
	"path"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/text"
)

// lost says which claim of a memory went from its related files since it was made.
type lost struct {
	claim
	file   string // as the memory names it
	commit string // the last one that changed the file
}

type lostList []lost

// mostLost is how many words a finding names.
const mostLost = 3

func (l lost) reason() text.Phrase { return text.Say("%s no longer has %s", l.file, l.word) }

// after returns the losses that make a finding: a version alone does, a word only if its file changed much.
func (l lostList) after(much bool) lostList {
	l = slices.DeleteFunc(l, func(l lost) bool { return !much && !l.version })
	return l[:min(len(l), mostLost)]
}

// dotted matches a version, or another number that a program does not make up again: 1.22.3.
var dotted = text.Pattern(`\d+(\.\d+)+`)

// wordsWithVersions returns the words of a text, and its versions whole.
func wordsWithVersions(s string) map[string]bool {
	set := map[string]bool{}
	for _, word := range slices.Concat(text.Singular(s), dotted().FindAllString(s, -1)) {
		set[word] = true
	}
	return set
}

// claim is a part of a memory that its files may lose.
type claim struct {
	word    string // as it says it
	version bool
}

// claimsOf returns the versions in a memory's text and the words of its title.
func claimsOf(m *memory) (list []claim) {
	for _, version := range dotted().FindAllString(m.Title+"\n"+m.text, -1) {
		list = append(list, claim{version, true})
	}
	for _, word := range text.WordsAsWritten(dotted().ReplaceAllString(m.Title, " ")) {
		if strings.Trim(word, "0123456789") != "" {
			list = append(list, claim{word, false})
		}
	}
	return list
}

// lostWords finds the claims of a memory that went from its related files. What is in a folder is not
// read, so nothing is known to have gone from it.
func lostWords(t *tree, files []relatedFile, changes []*change) (list lostList) {
	m := files[0].memory
	now := map[string]bool{}
	for _, f := range files {
		data, err := gate.Place{Folder: t.Name()}.ReadNamed(gate.Name(f.path), maxSource)
		if err != nil {
			return nil
		}
		for word := range wordsWithVersions(string(data)) {
			now[word] = true
		}
	}
	claims := claimsOf(m)
	for _, c := range changes {
		if m.origins[path.Base(c.path)] {
			continue // the import follows it
		}
		then := wordsWithVersions(strings.Join(c.before, "\n"))
		for _, claim := range claims {
			known := slices.ContainsFunc(list, func(l lost) bool { return l.word == claim.word })
			gone := func(word string) bool { return then[word] && !now[word] }
			if !known && slices.ContainsFunc(append(text.Singular(claim.word), claim.word), gone) {
				list = append(list, lost{claim, c.name, t.log.commits[c.commits[0]].ID})
			}
		}
	}
	return list
}
