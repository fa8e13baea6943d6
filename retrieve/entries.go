package retrieve

import (
	"math"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// Entry holds the fields of a memory that every result includes.
type Entry struct {
	ID        string           `db:"id" json:"id"`
	Path      string           `db:"path" json:"path"` // below the root, or with Root.Shown before it
	Title     string           `db:"title" json:"title"`
	Category  schemas.Category `db:"category" json:"category"`
	Status    schemas.Status   `db:"record_status" json:"status"`
	Tags      Tags             `db:"tags" json:"tags"`
	UpdatedAt string           `db:"updated_at" json:"updated_at"`
	// Folder is the part of the project that the memory is for, "" for all of it.
	Folder string `db:"folder" json:"folder,omitempty"`
	// Project is the folder of the memory's project in an answer about all projects.
	Project string `db:"-" json:"project,omitempty"`
	// Gone reports that there is no such folder any more, under whatever name.
	Gone bool `db:"-" json:"project_gone,omitempty"`
	// Scope says whose memory it is.
	Scope files.Scope `db:"-" json:"scope,omitempty"`
	// NewBy is who wrote a memory that the user has not seen, "" for any other.
	NewBy string `db:"-" json:"new_by,omitempty"`
	// InConflict reports that a merge left two sides of the memory.
	InConflict bool `db:"-" json:"in_conflict,omitempty"`

	// Name is an id by which Lookup finds the entry: with its category where several
	// memories share the id. ListIndex sets it; Sources.ShortIDs knows those of a listing.
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

// ListEntry is a memory in a listing.
type ListEntry struct {
	Entry
	CreatedAt    string `db:"created_at" json:"created_at"`
	TimesUpdated int    `db:"times_updated" json:"times_updated"`
	*Retired            // nil unless RetiredSince returned the item
	Number       int64  `db:"number" json:"-"` // by which List orders, then by Text
	Text         string `db:"text" json:"-"`
	// Root is where Sources.List found the memory.
	Root files.Root `db:"-" json:"-"`
}

// Retired says when and why a memory was retired.
type Retired struct {
	At     string `db:"retired_at" json:"retired_at"`
	Reason string `db:"retired_reason" json:"retired_reason"`
}

// Match is a memory that a query found. Score is a whole number for title_tags and
// between 0 and 1 for hybrid.
type Match struct {
	Entry
	Score    float64 `json:"score"`
	Outdated string  `json:"outdated,omitempty"` // why it may no longer be true
}

// Result is one ranked memory.
type Result struct {
	Entry

	// The points of title_tags. Score is the sum of the other three, a small
	// integer. Compare it only between results of one prompt.
	Text   int `db:"text"`
	Desc   int `db:"description"`
	Recent int `db:"recent"`
	Score  int `db:"score"`

	// The points of hybrid. A word that only this memory has is worth 1.
	Strength float64 `db:"strength"`
	Needed   float64 `db:"needed"`  // the least strength of a result
	Rounded  float64 `db:"rounded"` // Strength to two places, by which results are ordered

	// By the user's model: the cosine of the vectors of memory and prompt, nil if it is not among the nearest,
	// Neighbour.Nearness, the rank among the first of them, and the number by which Query.fuse orders.
	Cosine   *float64 `db:"cosine"`
	Nearness float64  `db:"nearness"`
	NearRank int      `db:"-"`
	Order    float64  `db:"-"`

	// Place is 0 for a memory of the question's folder, 1 for one of the whole project, 2 for one of another folder.
	Place int `db:"place"`

	Sentence string `db:"sentence"` // schemas.Memory.Addition; of hybrid
	Outdated string `db:"-"`        // of MarkOutdated: why it may no longer be true
	Severe   bool   `db:"-"`        // of About: a constraint of high severity that holds
	Stands   bool   `db:"-"`        // of About: Memory.IsStandingRule
	Forbids  bool   `db:"-"`        // of About: it forbids the command
	// Successor is the path of the decision that supersedes this one, "" if there is none.
	Successor string `db:"successor"`

	// The file as it was indexed.
	Size    int64 `db:"size_bytes"`
	MtimeNS int64 `db:"mtime_ns"`
	ReadNS  int64 `db:"read_ns"`

	// Pooled is how many memories rank.sql looked up, PoolFloor the lowest text
	// score among them. No memory outside the pool has a higher one.
	Pooled    int `db:"pooled"`
	PoolFloor int `db:"pool_floor"`

	// Root is where Sources found the memory.
	Root files.Root `db:"-"`
	// Overridden is the path of a memory of a root before, or of a successor, that stands in
	// place of this one, "" if there is none. Sources.Fresh returns no such result.
	Overridden string `db:"-"`
}

// Passed reports whether a result of hybrid is relevant enough.
func (r Result) Passed() bool { return r.Strength >= r.Needed }

// Shown returns the score that people see: Score for title_tags, and for hybrid
// Strength mapped to 0..1 in hundredths. There 0.5 is one word of the prompt that
// only this memory has, 0.75 three such words.
func (r Result) Shown() float64 {
	if r.Strength > 0 {
		return math.Round(100*r.Strength/(1+r.Strength)) / 100
	}
	return float64(r.Score)
}

// Stamp returns the stamp of the result's file in the index.
func (r Result) Stamp() db.Stamp {
	return db.Stamp{Path: r.Path, Size: r.Size, MtimeNS: r.MtimeNS, ReadNS: r.ReadNS}
}

// Version returns the version of the memory, by which the record of a session names it.
func (r Result) Version() files.Version {
	return files.Version{Root: r.Root.Key(), Path: r.Path, Size: r.Size, MtimeNS: r.MtimeNS}
}

// ListItems describes the items of a listing.
func ListItems(items []ListEntry) []ListEntry {
	list := make([]ListEntry, len(items))
	for i, m := range items {
		m.Entry = m.shown(m.Root)
		list[i] = m
	}
	return list
}

// ListFound describes the results of a query.
func ListFound(results []Result) []Match {
	MarkOutdated(results, time.Now())
	list := make([]Match, len(results))
	for i, r := range results {
		list[i] = r.match(r.Root)
	}
	return list
}

func (r Result) match(root files.Root) Match { return Match{r.shown(root), r.Shown(), r.Outdated} }

func (e Entry) shown(root files.Root) Entry {
	e.Path, e.Scope = root.ShownPath(e.Path), root.Scope
	return e
}

// priority is the order of categories in rank.sql.
func priority(c schemas.Category) int {
	if info, ok := c.Info(); ok {
		return info.Priority
	}
	return 10
}
