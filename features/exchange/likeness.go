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

// fewWords is how many words say too little to know a text by most of them: short records are alike.
const fewWords = 40

// How many hundredths of their words two texts share that are the same item: in the same place, and in another.
const (
	halfOfWords = 50
	mostWords   = 80
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

// likest returns the index of the source that an item was before, -1 for none: of those in the list the one with
// most of its words, if it has as many as the least.
func (l likeness) likest(list []*files.ImportRecord, e *Item, least int) int {
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
		if likeness := 200 * shared / (len(of) + len(own) + 1); likeness > best && likeness >= least {
			best, at = likeness, i
		}
	}
	return at
}

func comparedWords(statement string) []string {
	words := strings.Fields(optionKey(statement))
	return words[:min(len(words), maxWords)]
}
