package exchange

import (
	"strings"

	"memctl/files"
)

// Bounds of what is compared for an item: so many sources of its place, and so many words of each.
const (
	maxLikely = 100
	maxWords  = 500
)

// likeness compares the words of texts, and keeps those of each source.
type likeness map[*files.ImportRecord][]string

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
		of, found := l[s]
		if !found {
			of = comparedWords(s.Text)
			l[s] = of
		}
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
