package retrieve

import (
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// Entry is what every answer says of a memory.
type Entry struct {
	ID        string           `json:"id"`
	Path      string           `json:"path"` // the root as it is shown, and the path below it
	Title     string           `json:"title"`
	Category  schemas.Category `json:"category"`
	Status    schemas.Status   `json:"status"`
	Tags      []string         `json:"tags"`
	UpdatedAt string           `json:"updated_at"`
}

// Listed is a memory in a listing.
type Listed struct {
	Entry
	CreatedAt    string `json:"created_at"`
	TimesUpdated int    `json:"times_updated"`
	*Retired            // nil in a listing of memories of any status
}

// Retired says when and why a memory was retired.
type Retired struct {
	At     string `json:"retired_at"`
	Reason string `json:"retired_reason"`
}

// Found is a memory that a query found. Score is a whole number for title_tags and
// between 0 and 1 for hybrid.
type Found struct {
	Entry
	Score float64 `json:"score"`
}

// IndexEntry is one line of a search. An observation has the tool for a category,
// its summary for a title, and neither path, tags nor score.
type IndexEntry struct {
	Found
	Type      string  `json:"type"`
	Relevance float64 `json:"relevance"`
	Summary   string  `json:"summary"`
	Tokens    int     `json:"tokens"`
}

// ListItems describes the items of a listing.
func ListItems(root memdir.Root, items []Item) []Listed {
	list := make([]Listed, len(items))
	for i, m := range items {
		list[i] = listed(root, m)
	}
	return list
}

func listed(root memdir.Root, m Item) Listed {
	return Listed{
		Entry:        Entry{m.ID, root.Shown + "/" + m.Path, m.Title, m.Category, m.Status, splitTags(m.Tags), m.UpdatedAt},
		CreatedAt:    m.CreatedAt,
		TimesUpdated: m.TimesUpdated,
	}
}

// ListFound describes the results of a query.
func ListFound(root memdir.Root, results []Result) []Found {
	list := make([]Found, len(results))
	for i, r := range results {
		list[i] = Found{Entry{r.ID, root.Shown + "/" + r.Path, r.Title, r.Category, r.Status, splitTags(r.Tags), r.UpdatedAt}, r.Shown()}
	}
	return list
}

// ListIndex describes the rows that Source.Index made of results.
func ListIndex(root memdir.Root, rows []Row, results []Result) []IndexEntry {
	memories := ListFound(root, results)
	list := make([]IndexEntry, len(rows))
	for i, r := range rows {
		list[i] = IndexEntry{Type: r.Type, Relevance: r.Relevance, Summary: r.Summary, Tokens: r.Tokens}
		if r.Type == MemoryType {
			list[i].Found = memories[i] // Index keeps the order of the results
		} else {
			list[i].Entry = Entry{ID: r.ID, Title: r.Summary, Category: schemas.Category(r.Category), Tags: []string{}, UpdatedAt: r.Timestamp}
		}
	}
	return list
}

// splitTags returns the tags that the index keeps as one text.
func splitTags(joined string) []string {
	if joined == "" {
		return []string{}
	}
	return strings.Split(joined, ",")
}
