package exchange

import (
	"strings"

	"memctl/files"
	"memctl/schemas"
)

// Bounds of what is compared for an item: so many sources of its place, and so many words of each.
const (
	maxLikely = 100
	maxWords  = 500
)

// likeness compares the words of what sources say, and keeps those of each.
type likeness struct {
	*Import
	words map[*files.ImportRecord][]string
}

// of returns the words that a source said: of its text, as long as it is known, else of the memory made of it.
func (l likeness) of(s *files.ImportRecord) []string {
	words, found := l.words[s]
	if !found {
		said, known := l.formerText(s)
		if !known {
			said = l.saidBy(s.Memory)
		}
		words = comparedWords(said)
		l.words[s] = words
	}
	return words
}

// saidBy returns the title and the texts of a memory, without where they stand.
func (im *Import) saidBy(memory string) string {
	data, err := im.w.Root.ReadFile(memory)
	if err != nil {
		return ""
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return ""
	}
	said := withoutPlace(&m)
	return said.Title + "\n" + said.Text()
}

// likest returns the index of the source that an item was before, -1 for none: of those of its place the one with
// most of its words.
func (l likeness) likest(list []*files.ImportRecord, e *Item) int {
	best, at := 0, -1
	words := map[string]bool{}
	list = list[:min(len(list), maxLikely)]
	if len(list) == 0 {
		return at
	}
	own := comparedWords(e.raw)
	for _, word := range own {
		words[word] = true
	}
	for i, s := range list {
		of := l.of(s)
		shared := 1
		for _, word := range of {
			if words[word] {
				shared++
			}
		}
		if likeness := 200 * shared / (len(of) + len(own) + 1); likeness > best && likeness >= 50 {
			best, at = likeness, i
		}
	}
	return at
}

func comparedWords(statement string) []string {
	words := strings.Fields(optionWords(statement))
	return words[:min(len(words), maxWords)]
}
