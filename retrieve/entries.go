package retrieve

import (
	"strings"

	"memctl/memdir"
	"memctl/schemas"
)

// Entry is what every answer says of a memory.
type Entry struct {
	ID        string           `db:"id" json:"id"`
	Path      string           `db:"path" json:"path"` // below the root, or with Root.Shown before it
	Title     string           `db:"title" json:"title"`
	Category  schemas.Category `db:"category" json:"category"`
	Status    schemas.Status   `db:"record_status" json:"status"`
	Tags      Tags             `db:"tags" json:"tags"`
	UpdatedAt string           `db:"updated_at" json:"updated_at"`
	// Project is the folder of the memory's project in an answer about all projects.
	Project string `db:"-" json:"project,omitempty"`
	// Scope says whose memory it is.
	Scope memdir.Scope `db:"-" json:"scope,omitempty"`

	// Name is the id by which Lookup finds the entry: with its category where several
	// memories share the id. ListIndex sets it; Source.IDs knows those of a listing.
	Name string `db:"-" json:"-"`
}

// Tags are the tags of a memory. The index keeps them as one text.
type Tags []string

// Scan implements sql.Scanner.
func (t *Tags) Scan(column any) error {
	*t = Tags{}
	if joined, _ := column.(string); joined != "" {
		*t = strings.Split(joined, ",")
	}
	return nil
}

// Item is a memory in a listing.
type Item struct {
	Entry
	CreatedAt    string `db:"created_at" json:"created_at"`
	TimesUpdated int    `db:"times_updated" json:"times_updated"`
	*Retired            // nil unless RetiredSince returned the item
	// Root is where Sources.List found the memory.
	Root memdir.Root `db:"-" json:"-"`
}

// Retired says when and why a memory was retired.
type Retired struct {
	At     string `db:"retired_at" json:"retired_at"`
	Reason string `db:"retired_reason" json:"retired_reason"`
}

// Found is a memory that a query found. Score is a whole number for title_tags and
// between 0 and 1 for hybrid.
type Found struct {
	Entry
	Score float64 `json:"score"`
}

// IndexEntry is one line of a search. An observation has the tool for a category,
// its summary for a title, and no path, tags or score.
type IndexEntry struct {
	Found
	Type      string  `json:"type"`
	Relevance float64 `json:"relevance"`
	Summary   string  `json:"summary"`
	Tokens    int     `json:"tokens"`
}

// ListItems describes the items of a listing.
func ListItems(root memdir.Root, items []Item) []Item {
	list := make([]Item, len(items))
	for i, m := range items {
		m.Entry = m.shown(root)
		list[i] = m
	}
	return list
}

// ListFound describes the results of a query.
func ListFound(results []Result) []Found {
	list := make([]Found, len(results))
	for i, r := range results {
		list[i] = r.found(r.Root)
	}
	return list
}

// ListIndex describes the rows of a search.
func ListIndex(rows []Row) []IndexEntry {
	list := make([]IndexEntry, len(rows))
	for i, r := range rows {
		list[i] = IndexEntry{Type: r.Type, Relevance: r.Relevance, Summary: r.Summary, Tokens: r.Tokens}
		if r.Type == MemoryType {
			list[i].Found = r.memory.found(r.memory.Root)
		} else {
			list[i].Entry = Entry{
				ID: r.ID, Title: r.Summary, Category: schemas.Category(r.Category), Tags: Tags{}, UpdatedAt: r.Timestamp,
			}
		}
		list[i].Name = r.ID
	}
	return list
}

func (r Result) found(root memdir.Root) Found { return Found{r.shown(root), r.Shown()} }

func (e Entry) shown(root memdir.Root) Entry {
	e.Path, e.Scope = root.Shown+"/"+e.Path, root.Scope
	return e
}
