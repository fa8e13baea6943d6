package db

import (
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Entry is one file as it was read: a memory, or the reason why it is not one.
type Entry struct {
	File
	memory *memoryRows
}

// memoryRows is what a memory becomes in the tables, without its id. It is computed
// where the file is read, on every core and outside the write lock.
type memoryRows struct {
	row      []any // of memories, in the order of memoryColumns after memory_id
	title    string
	tags     string // joined with commas
	body     string
	changes  []schemas.Change
	files    []string
	postings []posting
}

// posting is one token in one memory.
type posting struct {
	token    string
	memoryID int64 // set when it is written
	inTitle  bool
	inTags   bool
}

// SetMemory makes the entry a memory.
func (e *Entry) SetMemory(m *schemas.Memory) {
	tags := text.Tags(m.Tags)
	joined := strings.Join(tags, ",")
	e.memory = &memoryRows{
		row:      memoryRow(e.Path, joined, m),
		title:    m.Title,
		tags:     joined,
		body:     m.Text(),
		changes:  m.Changes,
		files:    slices.Compact(slices.Sorted(slices.Values(m.RelatedFiles))),
		postings: postingsOf(m.Title, tags),
	}
}

// postingsOf lists the distinct tokens of a title and its whole tags.
func postingsOf(title string, tags []string) []posting {
	words := text.Tokens(title)
	list := make([]posting, 0, len(words)+len(tags))
	for _, word := range words {
		list = append(list, posting{token: word, inTitle: true})
	}
	for _, tag := range tags {
		if i := slices.Index(words, tag); i >= 0 {
			list[i].inTags = true
			continue
		}
		list = append(list, posting{token: tag, inTags: true})
	}
	return list
}
